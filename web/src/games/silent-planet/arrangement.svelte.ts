/** Your row while you make it: nine cards in an order, some of them shown. It is composed here and sent as one run. */
import type { Arranging } from './view.gen'

export interface Card {
  id: number // stays with the card while it moves
  kind: string // 1 to 5, x
  shown: boolean // as a hint
}

export type Keep = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The browser's store for this tab, where it lets us have one. */
export function tabStore(): Keep | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}

const bag = (kinds: readonly string[]): string => [...kinds].sort().join('')

export class Arrangement {
  cards = $state.raw<Card[]>([]) // from left to right
  held = $state<number | null>(null) // the card that is picked up
  sure = $state(false) // ready was pressed once; it is final
  readonly laid: number // cards that lie already: what was sent is final
  readonly #told: number[] // hints that were sent already
  readonly #free: number[] // positions that may still become hints, when the whole row lies
  #from: Card[] = [] // the row as it was when the card was picked up

  constructor(
    made: Arranging,
    readonly key: string,
    readonly keep: Keep | null = null,
  ) {
    this.laid = made.placed.length
    this.#told = made.hints
    this.#free = made.can_reveal
    const kinds = [...made.placed, ...made.hand]
    this.cards = kinds.map((kind, id) => ({ kind, id, shown: made.hints.includes(id + 1) }))
    this.#restore(made)
  }

  /** What was staged before the page was left, if it is still about these cards. */
  #restore(made: Arranging): void {
    try {
      const kept: unknown = JSON.parse(this.keep?.getItem(this.key) ?? 'null')
      if (!Array.isArray(kept)) return
      const texts = kept.filter((one): one is string => typeof one === 'string')
      const kinds = texts.map((text) => text.slice(0, 1))
      const same = bag(kinds) === bag(this.cards.map((card) => card.kind))
      if (!same || !made.placed.every((kind, i) => kinds[i] === kind)) return
      this.cards = texts.map((text, id) => ({
        id,
        kind: text.slice(0, 1),
        shown: this.#told.includes(id + 1) || (text.endsWith('!') && this.#canShow(id)),
      }))
    } catch {
      // nonsense, or a browser that keeps nothing: the cards lie as they came
    }
  }

  #set(cards: Card[]): void {
    this.cards = cards
    this.sure = false
    try {
      this.keep?.setItem(this.key, JSON.stringify(cards.map((card) => card.kind + (card.shown ? '!' : ''))))
    } catch {
      // it holds until the page is closed
    }
  }

  forget(): void {
    try {
      this.keep?.removeItem(this.key)
    } catch {
      // nothing was kept
    }
  }

  at(id: number): number {
    return this.cards.findIndex((card) => card.id === id)
  }

  #canShow(index: number): boolean {
    return this.laid < this.cards.length || this.#free.includes(index + 1)
  }

  canMove(id: number): boolean {
    return this.at(id) >= this.laid
  }

  canFlip(id: number): boolean {
    return this.#canShow(this.at(id))
  }

  /** The card goes to a place, the others close up. */
  move(id: number, to: number): void {
    const from = this.at(id)
    const end = Math.max(this.laid, Math.min(this.cards.length - 1, to))
    if (from < this.laid || from === end) return
    const cards = [...this.cards]
    const [card] = cards.splice(from, 1)
    if (card) cards.splice(end, 0, card)
    this.#set(cards)
  }

  pick(id: number): void {
    this.held = id
    this.sure = false
    this.#from = this.cards
  }

  drop(): void {
    this.held = null
  }

  /** Put the picked card back where it was taken from. */
  back(): void {
    if (this.held === null) return
    this.#set(this.#from)
    this.held = null
  }

  /** A tap: picks up; on the picked card puts it down; elsewhere puts the picked card there. */
  tap(id: number): void {
    if (this.held === null) this.pick(id)
    else {
      if (this.held !== id) this.move(this.held, this.at(id))
      this.drop()
    }
  }

  flip(id: number): void {
    if (!this.canFlip(id)) return
    this.#set(this.cards.map((card) => (card.id === id ? { ...card, shown: !card.shown } : card)))
  }

  /** Low to high, machines last. */
  get sorted(): boolean {
    const kinds = this.cards.slice(this.laid).map((card) => card.kind)
    return bag(kinds) === kinds.join('')
  }

  /** Sorts; a row that is sorted is turned round. Hints stay on their cards. */
  sort(): void {
    const rest = this.cards.slice(this.laid)
    if (this.sorted) rest.reverse()
    else rest.sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0))
    this.drop()
    this.#set([...this.cards.slice(0, this.laid), ...rest])
  }

  get hints(): number[] {
    return this.cards.flatMap((card, i) => (card.shown ? [i + 1] : []))
  }

  /** The decisions that lay this row and show its hints; `ready` ends them. */
  get laying(): string[] {
    return [
      ...this.cards.slice(this.laid).map((card) => `place ${card.kind}`),
      ...this.hints.filter((position) => !this.#told.includes(position)).map((position) => `reveal ${position}`),
    ]
  }

  get texts(): string[] {
    return [...this.laying, 'ready']
  }
}
