/** Where the shape in your hand can go.
 *
 * The server lists whole decisions ("mark p1 a1 b1 c1"); here they become places on islands, each matched to the way the pictured
 * shape lies there. Turning and mirroring is choosing among the listed places; whether one is allowed is not decided here.
 */
import type { Ways } from '../../choice.svelte'

export type Spot = readonly [x: number, y: number]

export interface Place {
  text: string // the decision
  piece: string // what `paths` calls it
  card: string
  cells: readonly string[]
  middle: Spot // in cells from the island's corner
  turning: number // which of the shape's turnings lies there; -1: a single cell
}

/** One way to hold a shape, and which one a quarter turn and a mirror make of it. */
export interface Turning {
  spots: readonly Spot[]
  width: number
  height: number
  turned: number
  mirrored: number
}

/** "b3" is [1, 2]. */
export const spotOf = (cell: string): Spot => ['abcd'.indexOf(cell.charAt(0)), Number(cell.charAt(1)) - 1]
export const cellAt = (x: number, y: number): string => `${'abcd'.charAt(x)}${y + 1}`

/** Which pieces a decision touches: a place of the shape, a cell, the deck, cards; two kept cards in either order. */
export const paths: Ways = (text) => {
  const [verb, first, second] = text.split(' ')
  if (verb === 'keep')
    return [
      [`card:${first}`, `card:${second}`],
      [`card:${second}`, `card:${first}`],
    ]
  if (verb === 'take') return [first === 'deck' ? 'deck' : `card:${first}`]
  return [pieceOf(text)]
}

/** What is tapped to cross off: the shape where it lies, or a cell. */
function pieceOf(text: string): string {
  const [verb, card, ...cells] = text.split(' ')
  return `${verb === 'mark' ? 'place' : 'cell'}:${card}:${cells.join('+')}`
}

/** Pushed to the corner, row by row: two shapes that lie alike are the same list. */
function settled(spots: readonly Spot[]): Spot[] {
  const left = Math.min(...spots.map(([x]) => x))
  const top = Math.min(...spots.map(([, y]) => y))
  return spots.map(([x, y]): Spot => [x - left, y - top]).sort((a, b) => a[1] - b[1] || a[0] - b[0])
}
const keyOf = (spots: readonly Spot[]): string => settled(spots).join(' ')
const quarter = (spots: readonly Spot[]): Spot[] => settled(spots.map(([x, y]): Spot => [-y, x]))
const mirror = (spots: readonly Spot[]): Spot[] => settled(spots.map(([x, y]): Spot => [-x, y]))

/** Every different way to hold the pictured shape; the first is as it is pictured. */
export function turningsOf(picture: readonly string[]): Turning[] {
  const drawn = picture.flatMap((row, y) => [...row].flatMap((sign, x): Spot[] => (sign === 'o' ? [[x, y]] : [])))
  if (!drawn.length) return []
  const ways: Spot[][] = []
  const known = new Map<string, number>()
  for (let way = settled(drawn), i = 0; i < 8; i++, way = i === 4 ? mirror(settled(drawn)) : quarter(way)) {
    if (known.has(keyOf(way))) continue
    known.set(keyOf(way), ways.length)
    ways.push(way)
  }
  const index = (spots: readonly Spot[]): number => known.get(keyOf(spots)) ?? 0
  return ways.map((spots) => ({
    spots,
    width: 1 + Math.max(...spots.map(([x]) => x)),
    height: 1 + Math.max(...spots.map(([, y]) => y)),
    turned: index(quarter(spots)),
    mirrored: index(mirror(spots)),
  }))
}

/** The listed decisions that cross something off, as places. One that no turning matches is left out: it cannot be held. */
export function placesOf(texts: readonly string[], turnings: readonly Turning[]): Place[] {
  const ways = new Map(turnings.map((way, i) => [keyOf(way.spots), i]))
  return texts.flatMap((text): Place[] => {
    const [verb = '', card = '', ...cells] = text.split(' ')
    if (!['mark', 'cross', 'bonus'].includes(verb)) return []
    const spots = cells.map(spotOf)
    const turning = verb === 'mark' ? ways.get(keyOf(spots)) : -1
    if (turning === undefined) return []
    const mean = (axis: 0 | 1): number => spots.reduce((sum, spot) => sum + spot[axis] + 0.5, 0) / spots.length
    return [{ text, piece: pieceOf(text), card, cells, middle: [mean(0), mean(1)], turning }]
  })
}

/** The place nearest to a point, no farther than `most` cells. */
export function nearest(places: readonly Place[], [x, y]: Spot, most = Infinity): Place | null {
  let best: Place | null = null
  let least = most
  for (const place of places) {
    const far = Math.hypot(place.middle[0] - x, place.middle[1] - y)
    if (far < least - 1e-9 || (best === null && far <= least)) {
      best = place
      least = far
    }
  }
  return best
}
