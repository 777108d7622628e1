/** What just happened, read from what was told: how much it matters, what moves, which house was noisy. */
import type { LogLine } from '../../play'
import type { GameEvents, Importance, Travel } from '../../playback'
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

const RESCUES = new Set(['walkie', 'flare', 'megaphone'])

/** How much an event matters, and what moves: zombies walk, survivors come, cards are drawn unseen and played openly. */
export const events: GameEvents = {
  importance: ({ code }) => MATTERS[code.replace('zombie-city.', '')] ?? 1,
  travels({ code, params }): Travel[] {
    const [who, to] = [seatOf(params?.who), seatOf(params?.seat)].map((seat) => (seat === null ? null : `seat:${seat}`))
    const verb = code.replace(/^zombie-city\.(tell|event|chance)\./, '')
    const zombie = isMessage(params?.zombie) ? pictured(params.zombie)?.name : undefined
    const walks = zombie ? { face: 'up' as const, art: `zc-${zombie}` } : { face: 'up' as const }
    if (verb === 'deal') return to ? [{ from: 'draw', to, face: 'down' }] : []
    if (verb === 'come') return to ? [{ from: 'city', to, ...walks }] : []
    if (!who) return []
    if (verb === 'send') return to ? [{ from: who, to, ...walks }] : []
    const card: Travel[] = /^(done|brace|keep|redraw|lay|barricade|alarm|mines)$/.test(verb)
      ? []
      : [{ from: who, to: 'discards', face: 'up', art: signOf({ code, params: params ?? {} }) }]
    if (RESCUES.has(verb)) return [...card, { from: 'city', to: who, face: 'up', art: 'zc-survivor' }]
    if (!to) return card
    if (verb === 'drone' || verb === 'surprise') return [...card, { from: who, to, ...walks }]
    if (verb === 'bribery') return [...card, { from: to, to: who, face: 'up', art: 'zc-survivor' }]
    if (verb === 'eviction')
      return [
        ...card,
        { from: who, to, face: 'up', art: 'zc-horde' },
        { from: to, to: who, face: 'up', art: 'zc-horde' },
      ]
    return card
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

/** The sign that goes with what a seat did: the card that it played. */
export function signOf({ code, params }: Message): string {
  const card = isMessage(params?.card) ? pictured(params.card)?.name : undefined
  const verb = code.replace('zombie-city.tell.', '')
  if (verb === 'discard') return 'i-cards'
  if (card) return `zc-${card}`
  if (verb === 'send') return 'zc-horde'
  if (/^zombie-city.event/.test(code)) return /strike|out/.test(code) ? 'zc-claw' : 'zc-noise'
  return PLAYED.has(verb) ? `zc-${verb}` : 'i-log'
}
const PLAYED = new Set([
  'walkie',
  'flare',
  'megaphone',
  'sabotage',
  'bribery',
  'eviction',
  'sacrifice',
  'drone',
  'surprise',
  'barricade',
  'alarm',
  'mines',
])

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

/** What the result means for whose eyes these are: a code, and by how many survivors; null where the headline says it all. */
export function meaning(
  result: Record<string, unknown>,
  you: number | null,
): { code: 'won.margin' | 'lost.out' | 'lost.few'; n: number } | null {
  const survivors = result.survivors as number[]
  const winners = result.winners as number[]
  if (you === null) return null
  const mine = survivors[you] ?? 0
  const best = Math.max(0, ...survivors.filter((_, seat) => seat !== you))
  if (winners.includes(you)) return winners.length > 1 || best === 0 ? null : { code: 'won.margin', n: mine - best } // alone: nobody is left
  return mine === 0 ? { code: 'lost.out', n: 0 } : { code: 'lost.few', n: best - mine }
}

/** The thing that a sentence names, as a picture: `zombie.fast` or `card.axe`; null for what has none. */
export function pictured(message: Message): { sort: 'zombie' | 'card'; name: string } | null {
  const found = /^zombie-city\.(zombie|one|card)\.(\w+)$/.exec(message.code)
  if (!isMessage(message) || !found || found[2] === 'unknown') return null
  return { sort: found[1] === 'card' ? 'card' : 'zombie', name: found[2] ?? '' }
}
