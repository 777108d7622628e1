/** A table by keyboard alone: arrows go from piece to piece, Escape puts back, and the focus is not lost between turns. */
import type { Choice } from './choice.svelte'

const BUTTONS = '[data-offer], [data-decision], [data-confirm]' // what decides without a piece
const PIECES = `:is(button[data-piece], ${BUTTONS}):not(:disabled)`
export const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const QUIET = 'button, a, input, select, textarea, label, summary, dialog, [data-keep]' // taps here are not "elsewhere"

interface Spot {
  x: number
  y: number
}

/** The nearest of some places in a direction: what lies straight ahead counts as nearer than what lies aside. */
export function nearest<T extends Spot>(
  from: Spot,
  places: readonly T[],
  [dx, dy]: readonly [number, number],
): T | null {
  let best: T | null = null
  let least = Infinity
  for (const place of places) {
    const ahead = (place.x - from.x) * dx + (place.y - from.y) * dy
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx)
    if (ahead < 4) continue
    const far = ahead + 2.5 * aside
    if (far < least) [best, least] = [place, far]
  }
  return best
}

export const middle = (element: Element): Spot & { element: HTMLElement } => {
  const box = element.getBoundingClientRect()
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, element: element as HTMLElement }
}

const visible = (element: Element): boolean => element.getClientRects().length > 0

/** The focus is nowhere, on the page's title, or waits at the prompt. */
const atRest = (at: Element | null): boolean =>
  !at || at === document.body || at.tagName === 'H1' || at.matches('[data-prompt]')

const isOwn = (piece: Element): boolean => piece.closest('[data-region="own"]') !== null
const inHand = (piece: Element): boolean => isOwn(piece) && piece.matches('[data-piece].can')

export class KeyboardNavigation {
  #byKey = false // the last thing this person used was the keyboard
  #last: string | null = null // the piece that had the focus last
  #asked: string | undefined // the question it belonged to
  #frame = 0
  #watch = new MutationObserver(() => this.#lost())

  constructor(
    readonly root: HTMLElement,
    readonly choice: () => Choice | null,
  ) {
    addEventListener('keydown', this.#key)
    addEventListener('pointerdown', this.#point, true)
    root.addEventListener('click', this.#elsewhere)
    root.addEventListener('focusin', this.#focus)
    this.#watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'data-ask'] })
  }

  close(): void {
    removeEventListener('keydown', this.#key)
    removeEventListener('pointerdown', this.#point, true)
    this.root.removeEventListener('click', this.#elsewhere)
    this.root.removeEventListener('focusin', this.#focus)
    this.#watch.disconnect()
    cancelAnimationFrame(this.#frame)
  }

  /** Pieces come and go with each question: the focus must not stay nowhere, nor wait where something can be decided. */
  #lost(): void {
    if (!this.#byKey) return
    cancelAnimationFrame(this.#frame)
    // The browser takes the focus from what is disabled or gone only when it has drawn the page: look after that.
    this.#frame = requestAnimationFrame(() => {
      this.#frame = requestAnimationFrame(() => this.restore())
    })
  }

  /** Who plays by keyboard goes on where they were in a question, and begins a new one in their hand. While nothing is asked
   *  the focus waits at the prompt.
   */
  restore(): void {
    const at = document.activeElement
    if (!this.#byKey || document.querySelector('dialog[open]')) return
    const pieces = this.#pieces()
    if (!atRest(at) && !this.#leftBehind(at, pieces)) return
    const same = this.#asked === this.#ask() ? pieces.find((piece) => name(piece) === this.#last) : undefined
    const to = same ?? this.#first(pieces)
    if (to) to.focus()
    else if (!at?.matches('[data-prompt]'))
      this.root.querySelector<HTMLElement>('[data-prompt], [data-next-step], [data-again]:not(:disabled)')?.focus()
  }

  /** On a piece of the question before this one, while a hand can be played from: that comes first. */
  #leftBehind(at: Element | null, pieces: readonly HTMLElement[]): boolean {
    return !!at?.matches(PIECES) && !isOwn(at) && this.#asked !== this.#ask() && pieces.some(inHand)
  }

  /** Where a question begins: where the game says (`data-begin`), in the hand, at another piece, at a button. */
  #first(pieces: readonly HTMLElement[]): HTMLElement | undefined {
    const begin = this.root.querySelector<HTMLElement>('[data-begin]')
    if (begin && visible(begin)) return begin
    const can = pieces.filter((piece) => piece.matches(`.can, ${BUTTONS}`))
    return can.find(inHand) ?? can.find((piece) => !piece.matches(BUTTONS)) ?? can[0] ?? pieces[0]
  }

  /** Which question is open, as the frame says it. */
  #ask(): string | undefined {
    return this.root.querySelector<HTMLElement>('[data-ask]')?.dataset.ask
  }

  #pieces(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>(PIECES)].filter(visible)
  }

  #point = (): void => {
    this.#byKey = false
  }

  #focus = (event: FocusEvent): void => {
    const piece = (event.target as Element).closest(PIECES)
    if (!piece) return
    this.#last = name(piece)
    this.#asked = this.#ask()
  }

  #elsewhere = (event: MouseEvent): void => {
    if (!event.defaultPrevented && !(event.target as Element).closest(QUIET)) this.choice()?.clear()
  }

  #key = (event: KeyboardEvent): void => {
    this.#byKey = true
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    const at = document.activeElement
    if (at?.closest('dialog, input, select, textarea, [role="slider"]')) return
    if (event.key === 'Escape') {
      this.choice()?.clear()
      return
    }
    const way = ARROWS[event.key]
    if (!way || event.shiftKey) return
    const pieces = this.#pieces()
    const left = this.#leftBehind(at, pieces) // a key that comes before `restore`
    const here = !left && at?.matches(PIECES) && this.root.contains(at) ? at : null
    if (!here && !left && (!atRest(at) || way[1] !== 0)) return // up and down scroll the page
    const others = pieces.filter((piece) => piece !== here)
    const to = here ? nearest(middle(here), others.map(middle), way)?.element : this.#first(pieces)
    if (!to) return
    event.preventDefault()
    to.focus()
    to.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
}

const name = (piece: Element): string | null =>
  ['data-piece', 'data-offer', 'data-decision'].map((one) => piece.getAttribute(one)).find((one) => one !== null) ??
  null
