/** What just happened, read from what was told: which house was noisy, and the gist in a sentence or two. */
import type { LogLine } from '../../play'
import type { GameEvents, Importance } from '../../playback'
import type { Message } from '../../wire/protocol.gen'
import { isMessage, seatOf } from '../../i18n/messages'

const MATTERS: Record<string, Importance> = {
  'chance.deal': 0,
  'chance.start': 0,
  'event.renew': 0,
  'event.thrown-cards': 0,
  'tell.brace': 0,
  'tell.done': 0,
  'tell.keep': 0,
  'tell.redraw': 0,
  'chance.horde': 2,
  'event.final': 2,
  'event.out': 2,
  'event.out-cards': 2,
  'event.strike': 2,
  'tell.bribery': 2,
  'tell.drone': 2,
  'tell.eviction': 2,
  'tell.sabotage': 2,
  'tell.send': 2,
  'tell.surprise': 2,
}

/** How much an event matters, and which zombies walk. */
export const events: GameEvents = {
  importance: ({ code }) => MATTERS[code.replace('zombie-city.', '')] ?? 1,
  travels({ code, params }) {
    const [who, to] = [seatOf(params?.who), seatOf(params?.seat)]
    if (to === null) return []
    if (code === 'zombie-city.event.come') return [{ from: 'city', to: `seat:${to}`, face: 'up' }]
    if (/tell\.(drone|send|surprise)$/.test(code) && who !== null)
      return [{ from: `seat:${who}`, to: `seat:${to}`, face: 'up' }]
    return []
  },
}

export interface Happening {
  key: number // the last line; a new one is a new happening
  noise: number | null // in whose shelter
}

export const NOTHING: Happening = { key: -1, noise: null }

const code = (line: LogLine): string => line.message.code.replace('zombie-city.', '')

export function happening(lines: readonly LogLine[]): Happening {
  const noise = lines.findLast((line) => code(line) === 'event.noise')
  return { key: lines.at(-1)?.key ?? -1, noise: seatOf(noise?.message.params?.seat) }
}

// What matters most of all that a decision brought about, first.
const WEIGHT = [
  'event.final',
  'event.out',
  'event.out-cards',
  'event.strike',
  'chance.horde',
  'event.come',
  'event.stay',
]
const DULL = ['tell.done', 'tell.brace', 'tell.keep', 'tell.redraw']

/** The last decision and the most important thing that came of it. */
export function gist(log: readonly LogLine[]): LogLine[] {
  const from = log.findLastIndex((line) => code(line).startsWith('tell.') || code(line) === 'chance.start')
  if (from < 0) return []
  const [head, ...rest] = log.slice(from)
  const most = WEIGHT.map((wanted) => rest.findLast((line) => code(line) === wanted)).find((line) => line)
  if (!head || (most && DULL.includes(code(head)))) return most ? [most] : []
  return most ? [head, most] : [head]
}

/** The picture that goes with it. */
export function sign(lines: readonly LogLine[]): string {
  const codes = lines.map(code)
  if (codes.some((found) => /strike|out|final/.test(found))) return 'zc-claw'
  if (codes.includes('chance.horde')) return 'zc-horde'
  return 'zc-noise'
}

/** Seats in the order in which they fell. */
export function fallen(log: readonly LogLine[]): number[] {
  const outs = log.filter((line) => code(line) === 'event.out' || code(line) === 'event.out-cards')
  return outs.flatMap((line) => seatOf(line.message.params?.seat) ?? [])
}

export interface Rank {
  seat: number
  place: number
  survivors: number
  fell: number | null // as which it went out, counted from one; null: it stands
}

/** Everybody from the winners down; those who are out stand in the order in which they fell, the last one first. */
export function ranks(result: Record<string, unknown>, log: readonly LogLine[]): Rank[] {
  const survivors = result.survivors as number[]
  const winners = result.winners as number[]
  const order = fallen(log)
  const weight = (seat: number): number =>
    winners.includes(seat) ? 2000 : order.includes(seat) ? order.indexOf(seat) : 1000 + (survivors[seat] ?? 0)
  const seats = survivors.map((_, seat) => seat).sort((a, b) => weight(b) - weight(a))
  return seats.map((seat) => ({
    seat,
    place: 1 + seats.filter((other) => weight(other) > weight(seat)).length,
    survivors: survivors[seat] ?? 0,
    fell: order.includes(seat) ? order.indexOf(seat) + 1 : null,
  }))
}

/** The thing that a sentence names, as a picture: `zombie.fast` or `card.axe`; null for what has none. */
export function pictured(message: Message): { sort: 'zombie' | 'card'; name: string } | null {
  const found = /^zombie-city\.(zombie|one|card)\.(\w+)$/.exec(message.code)
  if (!isMessage(message) || !found || found[2] === 'unknown') return null
  return { sort: found[1] === 'card' ? 'card' : 'zombie', name: found[2] ?? '' }
}
