/** A game's options in words. One that the catalogues do not know is shown by its name. */
import { t, words } from './language.svelte'

type Value = boolean | number | string

export function optionTitle(game: string, name: string): string {
  const code = `option.${game}.${name}`
  return words.has(`web.${code}`) ? t(code) : name
}

export function optionValue(game: string, name: string, value: Value): string {
  for (const code of [`option.${game}.${name}.${value}`, `option.${value}`])
    if (words.has(`web.${code}`)) return t(code)
  return String(value)
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
