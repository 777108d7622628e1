/** Names of cards and places for those who hear the table instead of seeing it. */
import type { SeatView } from '../../play'
import type { Place } from './view.gen'
import type { Message } from '../../wire/protocol.gen'
import { t, words } from '../../i18n/language.svelte'

/** A card as the game's own sentences call it: a 3, a machine. */
export function cardName(kind: string): string {
  return words.say(cardMessage(kind))
}

export function cardMessage(kind: string): Message {
  return { code: `silent-planet.card.${kind === 'x' ? 'machine' : 'alien'}`, params: { kind } }
}

/** One place of a row: its number, and what lies or lay there as far as it is known. */
export function placeName(place: Place): string {
  const what = place.state === 'down' && place.card !== null ? 'know' : place.state
  return t(`silent-planet-table.at.${what}`, {
    n: place.position,
    card: place.card === null ? '' : cardName(place.card),
  })
}

/** Why a team is broken: "two 3s and a 5". Its machines fit everywhere and are not named. */
export function clashOf(kinds: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const kind of kinds) if (kind !== 'x') counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const named = [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([kind, n]) => (n === 1 ? cardName(kind) : t(`silent-planet-table.several.${n}`, { kind })))
  const last = named.pop() ?? ''
  return named.length ? t('silent-planet-table.and', { list: named.join(', '), last }) : last
}

/** Whose row it is. */
export function rowName(seat: SeatView): string {
  return seat.you ? t('silent-planet-table.row-yours') : t('silent-planet-table.row', { name: seat.name })
}
