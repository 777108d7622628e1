/** Results of a deal, as the page shows and shares them. A score is a number of which more is better. */
import type { Bar, Message, Results } from '../wire/protocol.gen'
import { t } from '../i18n/language.svelte'

/** A score in the game's own words. Results differ from game to game; `sample` is any result of the same game. */
export function scoreMessage(sample: unknown, score: number): Message {
  const found = (typeof sample === 'object' && sample !== null ? sample : {}) as Record<string, unknown>
  if (typeof found.left === 'number') return { code: 'server.share.left', params: { n: -score } }
  if (typeof found.teams === 'number')
    return { code: 'server.share.teams', params: { n: score, needed: Number(found.needed) } }
  return { code: 'survivors' in found ? 'server.share.survivors' : 'server.share.points', params: { n: score } }
}

const MOST = 12 // rows of a chart

export interface ChartRow {
  high: number // the best score in this row
  low: number
  count: number
  mine: boolean
  bots: boolean
  best: boolean
}

interface Marks {
  mine: number | null
  bots: number | null
  best: number | null
}

/** The best score that is known, in words: what it is called, and what it is. `say` puts a score into words. */
export function bestWords(
  results: Pick<Results, 'best' | 'best_is'>,
  say: (score: number) => string,
): { title: string; text: string; mark: string } {
  const { best, best_is: kind } = results
  const own = kind === 'found' || kind === 'reached' ? kind : null
  const title = t(own ? `deal.best.${own}` : 'deal.best')
  const mark = t(`deal.mark.${own ?? 'best'}`)
  if (best === null) return { title, mark, text: t(`deal.best-${kind === 'searching' ? 'searching' : 'unknown'}`) }
  return { title, mark, text: own === 'found' ? t('deal.best-found', { score: say(best) }) : say(best) }
}

/** The distribution as rows, the best first. Many different scores are put together, a few to a row. */
export function chartRows(distribution: readonly Bar[], marks: Marks): ChartRow[] {
  const marked = [marks.mine, marks.bots, marks.best].filter((score) => score !== null)
  const scores = [...new Set([...distribution.map((bar) => bar.score), ...marked])].sort((a, b) => b - a)
  const first = scores[0]
  const last = scores.at(-1)
  if (first === undefined || last === undefined) return []
  const width = scores.length > MOST ? Math.ceil((first - last + 1) / MOST) : 1
  const rows = new Map<number, ChartRow>()
  for (const score of scores) {
    const high = first - Math.floor((first - score) / width) * width
    const low = high - width + 1
    const within = (mark: number | null): boolean => mark !== null && low <= mark && mark <= high
    const count = distribution.filter((bar) => within(bar.score)).reduce((sum, bar) => sum + bar.count, 0)
    const at = { mine: within(marks.mine), bots: within(marks.bots), best: within(marks.best) }
    rows.set(high, { high, low: Math.max(low, last), count, ...at })
  }
  return [...rows.values()]
}

const DOTS = 4

/** The share of results that are not better, from 0 to 1. */
export function shareOf(distribution: readonly Bar[], score: number): number {
  const all = distribution.reduce((sum, bar) => sum + bar.count, 0)
  const behind = distribution.reduce((sum, bar) => sum + (bar.score <= score ? bar.count : 0), 0)
  return all ? behind / all : 0
}

/** A share as four dots, to the nearest half: 0.6 is ●●◐○. */
export function dotsOf(share: number): string {
  const halves = Math.round(share * DOTS * 2)
  const whole = Math.floor(halves / 2)
  return '●'.repeat(whole) + '◐'.repeat(halves % 2) + '○'.repeat(DOTS - whole - (halves % 2))
}
