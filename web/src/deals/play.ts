/** Playing a deal: a table of one's own on the same cards. */
import { savedTables } from '../savedTables.svelte'
import { myName } from '../setup'
import { api } from '../wire/api'
import type { DealInfo } from '../wire/protocol.gen'

/** A table on a deal: with the deal's bots, begun; or with open seats for friends. */
export async function playDeal(deal: DealInfo, others: 'bots' | 'friends'): Promise<string> {
  const { game, seats, options, bot } = deal
  const chair = others === 'bots' ? { kind: 'bot' as const, bot } : { kind: 'open' as const }
  const chairs = Array.from({ length: seats }, (_, i) => (i === 0 ? { kind: 'open' as const } : chair))
  const entered = await api.create({ game, seats, options, name: myName(), chairs, deal: deal.deal })
  savedTables.sit(entered.table, game, entered.key)
  if (others === 'bots') await api.start(entered.table, null)
  return entered.table
}

const KEY = 'tacit-made'

/** The keys of what somebody made on this device, by name: a duplicate match is closed with its key. */
function read(): Record<string, string> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Record<string, string>) : {}
  } catch {
    return {}
  }
}

export const madeKey = (name: string): string | undefined => read()[name]

export function rememberMade(name: string, key: string): void {
  try {
    const recent = Object.entries(read()).filter(([other]) => other !== name)
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...recent.slice(-49), [name, key]])))
  } catch {
    // a browser that keeps nothing
  }
}
