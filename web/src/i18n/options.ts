/** A game's options in words. One that the catalogues do not know is shown by its name. */
import { t, words } from './language.svelte'

type Value = boolean | number | string

export function optionTitle(game: string, name: string): string {
  const code = `${game}-table.option.${name}`
  return words.has(code) ? t(code) : name
}

export function optionValue(game: string, name: string, value: Value): string {
  for (const code of [`${game}-table.option.${name}.${value}`, `web.option.${value}`])
    if (words.has(code)) return t(code)
  return String(value)
}

/** One sentence about an option, or about one of its values: what it changes, and how much harder or easier it is. */
export function optionText(game: string, name: string, value: Value): string {
  for (const code of [`${game}-table.option.${name}.${value}.text`, `${game}-table.option.${name}.text`])
    if (words.has(code)) return t(code)
  return ''
}

/** What is unusual about a table, in a few words. The first value of an option is the usual one. */
export function optionsLine(
  game: string,
  chosen: Record<string, Value>,
  usual: Record<string, readonly Value[]>,
): string {
  return Object.entries(chosen)
    .filter(([name, value]) => (usual[name]?.length ?? 0) > 1 && usual[name]?.[0] !== value)
    .map(([name, value]) => `${optionTitle(game, name)}: ${optionValue(game, name, value)}`)
    .join(' · ')
}
