/** How a match ended for a seat, in a word or two. Results differ from game to game; what they share is read here. */
import { t } from '../i18n/language.svelte'

export type Ending = Record<string, unknown>

export function endingText(result: Ending, you: number | null): string | null {
  const { left, won, teams, needed, winners } = result
  if (typeof left === 'number') return left ? t('home.end.left', { n: left }) : t('home.end.perfect')
  if (won === true) return t('home.end.won')
  if (won === false) return t('home.end.teams', { teams: Number(teams), needed: Number(needed) })
  if (!Array.isArray(winners) || you === null) return null
  if (!winners.includes(you)) return t('home.end.lost')
  return t(winners.length > 1 ? 'home.end.shared' : 'home.end.won')
}
