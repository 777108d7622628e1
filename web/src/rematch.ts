/** The next match at the same table, and how the matches before it went. */
import { bestOf, worthOf, type Worth } from './best'
import { savedTables, type SavedTable } from './savedTables.svelte'
import { router } from './router.svelte'
import { STRENGTHS } from './setup'
import { api, Refusal } from './wire/api'
import type { Live } from './wire/live.svelte'
import type { Table } from './wire/protocol.gen'
import { t, words } from './i18n/language.svelte'

/** Goes to the rematch. Where only bots sit beside us it begins at once. Returns why it cannot, in words; null: it could. */
export async function followRematch(line: Live): Promise<string | null> {
  const table = line.table
  if (!table) return null
  try {
    const entered = await api.follow(table.table)
    savedTables.sit(entered.table, table.game, entered.key, table.table)
    const alone = table.seats.every((seat, i) => i === line.seat || seat.kind === 'bot')
    if (alone && entered.maker) await api.start(entered.table, null)
    router.go(`/t/${entered.table}`)
    return null
  } catch (error) {
    return error instanceof Refusal ? words.say(error.reason) : t('unreachable')
  }
}

export interface Series {
  played: number
  won: number
  best: Worth | null
  left: number[] // where a match is counted in cards left: of each, oldest first
}

/** The matches that led to a table, with its own: how many, how many were won, from this device's memory. */
export function seriesOf(table: string, find: (table: string) => SavedTable | undefined): Series {
  const series: Series = { played: 0, won: 0, best: null, left: [] }
  const seen = new Set<string>()
  for (let one = find(table); one && !seen.has(one.table); one = one.after ? find(one.after) : undefined) {
    seen.add(one.table)
    if (!one.result) continue
    const { left } = one.result
    series.played += 1
    if (typeof left === 'number') series.left.unshift(left)
    if (isWon(one.result, one.seat)) series.won += 1
    series.best = bestOf([series.best, worthOf(one.result, one.seat)])
  }
  return series
}

/** Whether a match ended as a seat wanted it. */
export function isWon({ left, won, winners }: Record<string, unknown>, seat: number | null): boolean {
  return won === true || left === 0 || (Array.isArray(winners) && winners.includes(seat))
}

/** The bot to play with next, where all others were the same bot: one step stronger after a win, gentler after a loss. */
export function nextBot(table: Table, seat: number | null, won: boolean): string | null {
  const bots = table.seats.flatMap((one, i) => (i === seat ? [] : [one.kind === 'bot' ? (one.bot ?? '') : '']))
  const at = bots.every((bot) => bot === bots[0]) ? STRENGTHS.findIndex((bot) => bot === bots[0]) : -1
  return at < 0 ? null : (STRENGTHS[at + (won ? 1 : -1)] ?? null)
}
