/** A shelter in words, for those who hear the table instead of seeing it. */
import type { SeatView } from '../../play'
import type { Crowd, Shelter } from './view.gen'
import type { Message } from '../../wire/protocol.gen'
import { t, words } from '../../i18n/language.svelte'
import { KINDS, tally } from './paths'

const own = (code: string, params: Record<string, unknown> = {}): string => t(`zombie-city-table.${code}`, params)

export const cardName = (card: string): string => words.say({ code: `zombie-city.card.${card}` })

const BACKS = new Set(['regular', 'fast', 'strong', 'horde'])

/** A card of a hand, or the back of a City card. */
export function cardMessage(card: string): Message {
  return { code: `zombie-city.${BACKS.has(card) ? 'zombie' : 'card'}.${card}` }
}

/** With a capital, as it stands on its own. */
export function title(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

export function crowdWords(crowd: Crowd): string {
  const parts = KINDS.filter((kind) => crowd[kind] > 0).map((kind) => own(`count.${kind}`, { n: crowd[kind] }))
  return parts.length ? parts.join(', ') : own('no-zombie')
}

function barrierWords(barriers: readonly string[]): string {
  const parts = tally(barriers).map(([card, n]) => (n > 1 ? `${n} × ${cardName(card)}` : cardName(card)))
  return parts.length ? parts.join(', ') : own('no-barrier')
}

export function shelterWords(shelter: Shelter, seat: SeatView, names: readonly string[]): string {
  const who = seat.you ? own('you-name', { name: seat.name }) : seat.name
  const kind = seat.by ?? (seat.kind === 'bot' ? own('is-bot') : seat.presence !== 'here' ? own('is-away') : '')
  const first = kind ? `${who}, ${kind}` : who
  if (!shelter.living) return `${first}: ${own('is-out')}`
  const attack = (shelter.attack?.words ?? []).map((message) => words.say(message, names)).join(', ')
  return [
    `${first}: ${own('count.survivors', { n: shelter.survivors })}`,
    `${own('barriers')}: ${barrierWords(shelter.barriers)}`,
    `${own('zombies')}: ${crowdWords(shelter.zombies)}`,
    own('count.cards', { n: shelter.hand }),
    attack,
  ]
    .filter((part) => part)
    .join('; ')
}
