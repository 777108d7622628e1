/** Aids at a table: which places have hidden cards or notes, where they are on the page, and what they are called. */
import type { SeatView } from './play'
import type { HiddenPlace } from './wire/protocol.gen'
import { t } from './i18n/language.svelte'

const ANCHORS = '[data-at], [data-place]'

/** The place that an element of the table stands for, as `work-out` names it; null: none of whose cards one can ask. */
export function placeOf(element: Element, you: number | null): string | null {
  const at = /^(\d+):(\d+)$/.exec(element.getAttribute('data-at') ?? '')
  if (at) return Number(at[1]) === you || element.getAttribute('data-state') !== 'down' ? null : `row ${at[1]} ${at[2]}`
  const place = element.getAttribute('data-place') ?? ''
  const seat = /^seat:(\d+)$/.exec(place)?.[1]
  if (seat !== undefined) return Number(seat) === you || element.querySelector('[data-at]') ? null : `hand ${seat}`
  return place === 'deck' || place === 'draw' ? 'deck' : place === 'city' ? 'city' : null
}

/** The nearest place around an element. */
export function placeAround(element: Element | null, you: number | null): string | null {
  for (let at = element?.closest(ANCHORS) ?? null; at; at = at.parentElement?.closest(ANCHORS) ?? null) {
    const place = placeOf(at, you)
    if (place) return place
  }
  return null
}

/** All places on the page, each with its element. */
export function placesIn(root: ParentNode, you: number | null): Map<string, Element> {
  const found = new Map<string, Element>()
  for (const element of root.querySelectorAll(ANCHORS)) {
    const place = placeOf(element, you)
    if (place && element.getClientRects().length) found.set(place, element)
  }
  return found
}

/** What a place is called: "Ben: hidden cards", "Ben, card 4", "Your row". */
export function placeTitle(place: string, seats: readonly SeatView[]): string {
  const [kind, number, n] = place.split(' ')
  const seat = number === undefined ? undefined : seats[Number(number)]
  const whose = seat?.you ? 'yours' : 'theirs'
  if (kind === 'hand') return t(`aids.place.hand-${whose}`, { name: seat?.name ?? '' })
  if (kind === 'row') return t(`aids.place.${n ? 'card' : 'row'}-${whose}`, { name: seat?.name ?? '', n: n ?? '' })
  return t(kind === 'city' ? 'aids.place.city' : 'aids.place.deck')
}

/** 0.333 is 33 %; what is rarer than one in a hundred is below it. */
export function percent(chance: number): string {
  return chance > 0 && chance < 0.01 ? '< 1 %' : `${Math.round(chance * 100)} %`
}

export interface KnownPlace extends HiddenPlace {
  shares: boolean // cards of one name were put together: the figure is their share
}

/** A place in which cards that are called the same stand as one: the chance that it comes next, or their share of the cards. */
export function alike(place: HiddenPlace, nameOf: (card: string) => string): KnownPlace {
  const groups = new Map<string, { card: string; chance: number }>()
  for (const { card, chance } of place.chances) {
    const group = groups.get(nameOf(card)) ?? { card, chance: 0 }
    groups.set(nameOf(card), { ...group, chance: group.chance + chance })
  }
  if (groups.size === place.chances.length) return { ...place, shares: false }
  const next = ['deck', 'city'].includes(place.place)
  const chances = [...groups.values()].map((one) => (next ? one : { ...one, chance: one.chance / place.cards }))
  return { ...place, chances: chances.sort((a, b) => b.chance - a.chance), shares: true }
}
