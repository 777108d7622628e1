/** What a result was worth, and the best of them: on this device, and in a series of rematches. */
import type { Table } from './wire/protocol.gen'

type Result = Record<string, unknown>

export interface Worth {
  score: number
  better: 'higher' | 'lower'
}

interface Best {
  score: number
  table: string // where it was reached
  first?: boolean // it was the first match of its kind, so there was nothing to beat
}

const KEY = 'tacit-best'

/** What a result was worth to a seat: cards left, teams, points or survivors; null where it is not known. */
export function worthOf(result: Result | null | undefined, seat: number | null): Worth | null {
  if (typeof result?.left === 'number') return { score: result.left, better: 'lower' }
  if (typeof result?.teams === 'number') return { score: result.teams, better: 'higher' }
  const each = result?.scores ?? result?.survivors
  const score: unknown = Array.isArray(each) && seat !== null ? each[seat] : null
  return typeof score === 'number' ? { score, better: 'higher' } : null
}

const beats = (a: Worth, score: number): boolean => (a.better === 'higher' ? a.score > score : a.score < score)

/** The best of some results; null where there are none. */
export function bestOf(worths: readonly (Worth | null)[]): Worth | null {
  return worths.reduce((best, one) => (one && (!best || beats(one, best.score)) ? one : best), null)
}

function read(): Record<string, Best> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Record<string, Best>) : {}
  } catch {
    return {} // a browser that keeps nothing, or nonsense
  }
}

/** The best of this device in matches like this one: its score, and where it was reached. This one counts; the first of
 *  its kind has nothing to beat: null.
 */
export function deviceBest(table: Pick<Table, 'table' | 'game' | 'options' | 'seats'>, worth: Worth): Best | null {
  const key = `${table.game} ${table.seats.length} ${JSON.stringify(table.options)}`
  const all = read()
  const before = all[key]
  if (before && typeof before.score === 'number' && !beats(worth, before.score))
    return before.first && before.table === table.table ? null : before
  const now = { score: worth.score, table: table.table, first: !before }
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all, [key]: now }))
  } catch {
    // a browser that keeps nothing
  }
  return now.first ? null : now
}
