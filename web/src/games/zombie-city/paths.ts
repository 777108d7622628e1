/** Which pieces a decision of Zombie City touches, and how its cards are sorted into families. Nothing here is a rule. */
import type { Crowd } from './view.gen'

export const KINDS = ['regular', 'fast', 'strong'] as const
export type Kind = (typeof KINDS)[number]

const isKind = (word: string): word is Kind => (KINDS as readonly string[]).includes(word)

/** Zombies of one kind are told apart by number alone: the second regular one to be tapped is `zombie:regular.1`. */
export const zombie = (kind: string, n: number): string => `zombie:${kind}.${n}`

function zombies(kinds: readonly string[]): string[] {
  return kinds.map((kind, i) => zombie(kind, kinds.slice(0, i).filter((other) => other === kind).length))
}

/** Two zombies may be tapped in either order. */
function orders(first: string, kinds: readonly string[]): string[][] {
  const there = [first, ...zombies(kinds)]
  return kinds.length === 2 && kinds[0] !== kinds[1] ? [there, [first, ...zombies([...kinds].reverse())]] : [there]
}

/** `play drone fast 2` is tapped as card, zombie, seat. A card that needs nothing more is tapped alone. */
export function paths(text: string): readonly string[] | readonly (readonly string[])[] {
  const [verb = '', first = '', ...rest] = text.split(' ')
  if (verb === 'discard') return [`card:${first}`, 'pile']
  if (verb === 'noise') return [`card:${first}`, 'noise']
  if (verb === 'send') return [zombie(first, 0), `seat:${rest[0]}`]
  if (verb === 'use') return orders(`barrier:${first}`, rest)
  if (verb !== 'play') return [] // keep, redraw, done, brace
  const kinds = rest.filter(isKind)
  const place = rest.find((word) => !isKind(word))
  if (place === undefined) return orders(`card:${first}`, kinds)
  return [`card:${first}`, ...zombies(kinds), place === 'city' ? 'city' : `seat:${place}`]
}

export const FAMILIES: Record<string, readonly string[]> = {
  weapon: ['axe', 'shotgun', 'revolver', 'sniper'],
  rescue: ['walkie', 'flare', 'megaphone'],
  barrier: ['barricade', 'alarm', 'mines'],
  scheme: ['sabotage', 'bribery', 'eviction', 'sacrifice', 'drone', 'surprise'],
}
/** The cards with a loudspeaker, for the pictures in the rules; in a match the view says it. */
export const LOUD = new Set([
  'shotgun',
  'revolver',
  'sniper',
  'flare',
  'megaphone',
  'alarm',
  'mines',
  'sabotage',
  'eviction',
])

export function familyOf(card: string): string {
  return Object.keys(FAMILIES).find((family) => FAMILIES[family]?.includes(card)) ?? 'scheme'
}

/** Things in a row with how many there are of each, in the order in which they come. */
export function tally(names: readonly string[]): [name: string, n: number][] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
}

export const size = (crowd: Crowd): number => crowd.regular + crowd.fast + crowd.strong

/** Zombies as they stand on the pavement: one figure each, or, where they are many, one figure a kind with its number. */
export interface Figure {
  kind: Kind
  at: number // which of its kind
  n: number // how many it stands for
  key: string
}

export function figures(crowd: Crowd, most = 5, tapped: Partial<Record<Kind, number>> = {}): Figure[] {
  const single = size(crowd) <= most
  return KINDS.flatMap((kind): Figure[] => {
    const there = crowd[kind]
    const alone = single ? there : Math.min(there, tapped[kind] ?? 0) // what was tapped steps out of its group
    const out: Figure[] = Array.from({ length: alone }, (_, at) => ({ kind, at, n: 1, key: `${kind}.${at}` }))
    const rest = there - alone
    return rest > 0 ? [...out, { kind, at: alone, n: rest, key: `${kind}.all` }] : out
  })
}

/** Who comes to a shelter between two moments, kind by kind. */
export function newcomers(before: Crowd, after: Crowd): Kind[] {
  return KINDS.flatMap((kind) => Array.from({ length: Math.max(0, after[kind] - before[kind]) }, () => kind))
}
