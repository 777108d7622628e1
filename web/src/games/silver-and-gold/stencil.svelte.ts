/** The shape in your hand: how it is held, where it hovers, where it lies. It lies only where a listed decision puts it. */
import type { Choice } from '../../choice.svelte'
import type { Shape, View } from './view.gen'
import { cellAt, nearest, placesOf, spotOf, turningsOf, type Place, type Spot, type Turning } from './places'

const SINGLE: Turning = { spots: [[0, 0]], width: 1, height: 1, turned: 0, mirrored: 0 }

/** A point on an island, in cells from its corner. */
export interface Point {
  card: string
  at: Spot
}

export class Stencil {
  way = $state(0) // which turning is held
  wish = $state<'shape' | 'cell'>('shape') // a single cell may be crossed off instead
  over = $state.raw<Place | null>(null) // where it hovers
  looked = $state.raw<{ text: string; view: View } | null>(null) // what hovering there would bring
  #last: Point | null = null // where it lay before it was turned

  constructor(
    readonly choice: Choice,
    readonly shape: () => Shape | null,
  ) {}

  turnings = $derived.by((): Turning[] => turningsOf(this.shape()?.rows ?? []))
  places = $derived.by((): Place[] =>
    placesOf(
      this.choice.offers.map((offer) => offer.text),
      this.turnings,
    ),
  )
  /** Whether the whole shape can be crossed off somewhere. */
  whole = $derived.by((): boolean => this.places.some((place) => place.turning >= 0))
  single = $derived.by((): boolean => !this.whole || this.wish === 'cell')
  held = $derived.by((): Turning => (this.single ? SINGLE : (this.turnings[this.way] ?? SINGLE)))
  /** Where what is held, held like this, may go. */
  fits = $derived.by((): Place[] =>
    this.places.filter((place) => place.turning === (this.single ? -1 : Math.min(this.way, this.turnings.length - 1))),
  )
  laid = $derived.by((): Place | null => this.places.find((place) => place.text === this.choice.staged?.text) ?? null)

  /** A new question: the shape as it is pictured, or else as it fits. */
  reset(): void {
    const ways = this.places.map((place) => place.turning).filter((way) => way >= 0)
    this.way = ways.includes(0) ? 0 : Math.max(0, Math.min(...(ways.length ? ways : [0])))
    this.wish = 'shape'
    this.over = this.looked = this.#last = null
  }

  /** Whether tapping a cell does something. */
  reaches(card: string, cell: string): boolean {
    return this.places.some((place) => place.card === card && place.cells.includes(cell) && this.#kind(place))
  }

  #kind(place: Place): boolean {
    return this.single ? place.turning < 0 : place.turning >= 0
  }

  /** The place over a point: the one that covers its cell and is nearest. */
  covering(point: Point, among: readonly Place[] = this.fits): Place | null {
    const cell = cellAt(Math.floor(point.at[0]), Math.floor(point.at[1]))
    return nearest(
      among.filter((place) => place.card === point.card && place.cells.includes(cell)),
      point.at,
    )
  }

  hover(point: Point | null): void {
    this.over = point && !this.choice.staged ? this.covering(point) : null
  }

  /** The shape is carried over an island: it snaps to the nearest place. */
  carry(point: Point | null): void {
    if (this.choice.staged) this.choice.clear()
    this.over =
      point &&
      nearest(
        this.fits.filter((place) => place.card === point.card),
        point.at,
        1.6,
      )
  }

  /** It is put down where it hovers. */
  drop(): void {
    if (this.over) this.lay(this.over)
  }

  /** A tap on a cell: lays the shape there, turned if it must be; on the laid shape it crosses off. */
  tap(card: string, cell: string): void {
    const laid = this.laid
    if (laid && laid.card === card && laid.cells.includes(cell)) {
      this.choice.tap(laid.piece)
      return
    }
    const [x, y] = spotOf(cell)
    const point: Point = { card, at: [x + 0.5, y + 0.5] }
    const here = this.over?.card === card && this.over.cells.includes(cell) ? this.over : this.covering(point)
    const place =
      here ??
      this.covering(
        point,
        this.places.filter((other) => this.#kind(other)),
      )
    if (place) this.lay(place)
  }

  lay(place: Place): void {
    if (place.turning >= 0) this.way = place.turning
    this.over = null
    this.#last = { card: place.card, at: place.middle }
    if (this.choice.staged?.text !== place.text) this.choice.tap(place.piece)
  }

  turn(): void {
    this.#hold(this.held.turned)
  }

  mirror(): void {
    this.#hold(this.held.mirrored)
  }

  /** Hold it another way. Where it lay it lies on, if it fits there; else it is lifted, and lies again when it fits. */
  #hold(way: number): void {
    if (this.single) return
    const over = this.over
    const from = this.laid ? { card: this.laid.card, at: this.laid.middle } : this.#last
    this.way = way
    const near = (point: Point | null): Place | null =>
      point &&
      nearest(
        this.fits.filter((place) => place.card === point.card),
        point.at,
        2,
      )
    if (over) this.over = near({ card: over.card, at: over.middle })
    else if (from) {
      const place = near(from)
      if (place) this.lay(place)
      else this.choice.clear()
      this.#last = from
    }
  }

  /** One cell instead of the shape, and back. */
  other(): void {
    if (!this.whole) return
    this.choice.clear()
    this.over = this.#last = null
    this.wish = this.wish === 'cell' ? 'shape' : 'cell'
  }
}
