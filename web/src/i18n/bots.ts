/** Bots in words: their names and styles. A bot that the catalogues do not know speaks for itself, in English. */
import type { BotInfo } from '../wire/protocol.gen'
import { t, words } from './language.svelte'

export function botTitle(name: string): string {
  return words.has(`web.bot.${name}`) ? t(`bot.${name}`) : name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** A bot's style. Where the sentence compares it with another bot, that one has the name it has on the page. */
export function botStyle(game: string, bot: BotInfo): string {
  for (const code of [`bots.style.${game}.${bot.name}`, `bots.style.any.${bot.name}`])
    if (words.has(code)) return t(code).replace(/\b(steady|learned)\b/g, botTitle)
  return bot.style
}
