/** Narrowing: the legal decisions of a seat, tapped down to one, shown, and tapped again to be made.
 *
 * The server lists whole decisions ("play drone fast 2"). A table says which pieces each one touches, in the order in which a
 * person would tap them (["card:drone", "zombie:fast", "seat:2"]). Nothing else is known of the rules: what can be tapped is what
 * the list still mentions.
 */
import type { Message, Previewed } from './wire/protocol.gen'

export interface Offer {
  text: string // the decision as it is sent
  words: Message // the same for people
  path: readonly string[] // the pieces it touches, in the order of tapping
}

/** Which pieces a decision touches. A decision without pieces is offered as a button. */
export type Paths = (text: string) => readonly string[]

/** The same where the order of some pieces is the person's to choose: several paths. */
export type Ways = (text: string) => readonly string[] | readonly (readonly string[])[]

/** Makes decisions at a table; a replay has none. */
export interface Decider {
  act(texts: string[]): Promise<boolean>
  preview(texts: string[]): Promise<Previewed | null>
}

const starts = (path: readonly string[], picked: readonly string[]): boolean =>
  picked.every((piece, i) => path[i] === piece)

/** Each way of tapping a decision. */
export function each(found: ReturnType<Ways>): readonly (readonly string[])[] {
  const several = found.length > 0 && typeof found[0] !== 'string'
  return several ? (found as readonly (readonly string[])[]) : [found as readonly string[]]
}

export class Choice {
  offers = $state.raw<Offer[]>([])
  picked = $state.raw<string[]>([]) // the pieces tapped so far
  staged = $state.raw<Offer | null>(null) // the decision that one more tap makes
  previewed = $state.raw<Previewed | null>(null) // what the table would be after it
  sending = $state(false)
  shown = $state(false) // what is staged is only looked at
  #key = ''

  constructor(readonly decider: Decider | null = null) {}

  /** The decisions that are open now. What was tapped stays as long as it still leads somewhere. */
  offer(texts: readonly string[], words: readonly Message[], paths: Ways, key: string): void {
    const offers = texts.flatMap((text, i) =>
      each(paths(text)).map((path) => ({ text, words: words[i] ?? { code: 'web.raw', params: { text } }, path })),
    )
    const before = this.staged?.text
    this.offers = offers
    if (key !== this.#key || !offers.some((offer) => starts(offer.path, this.picked))) this.clear()
    else if (before !== undefined) this.stage(offers.find((offer) => offer.text === before) ?? null)
    this.#key = key
  }

  /** Whether a question is open. It is drawn as open until it is answered, also while the decision is on its way. */
  get open(): boolean {
    return this.offers.length > 0 && !this.shown
  }

  /** Whether a tap may answer it now. */
  get asked(): boolean {
    return this.open && !this.sending
  }

  /** The decisions that what was tapped still leads to. */
  get left(): Offer[] {
    return this.offers.filter((offer) => starts(offer.path, this.picked))
  }

  /** Those that need no further piece: buttons. */
  get buttons(): Offer[] {
    return this.left.filter((offer) => offer.path.length === this.picked.length)
  }

  /** Whether tapping this piece leads on, or would if nothing were on its way. */
  can(piece: string): boolean {
    return this.open && this.left.some((offer) => offer.path[this.picked.length] === piece)
  }

  /** Whether a tap on it starts over with it, while something else is picked. */
  soft(piece: string): boolean {
    return this.open && this.picked.length > 0 && !this.can(piece) && !this.has(piece) && this.#begins(piece)
  }

  has(piece: string): boolean {
    return this.picked.includes(piece)
  }

  #begins(piece: string): boolean {
    return this.offers.some((offer) => offer.path[0] === piece)
  }

  /** One tap. On the last piece of a staged decision it makes it. False: this piece means nothing now. */
  tap(piece: string): boolean {
    if (!this.asked) return false
    if (this.staged && this.picked.at(-1) === piece) {
      void this.confirm()
      return true
    }
    if (this.can(piece)) this.#pick([...this.picked, piece])
    else if (this.has(piece)) this.#pick(this.picked.slice(0, this.picked.indexOf(piece)))
    else if (this.#begins(piece)) this.#pick([piece])
    else return false
    return true
  }

  #pick(picked: string[]): void {
    this.picked = picked
    const whole = picked.length > 0 ? this.buttons : [] // longer ones may be left: mines for one zombie, or for two
    this.stage(whole.length === 1 ? (whole[0] ?? null) : null)
  }

  /** A button: the first press shows, the second does. */
  press(offer: Offer): void {
    if (this.staged?.text === offer.text) void this.confirm()
    else this.stage(offer)
  }

  stage(offer: Offer | null): void {
    this.staged = offer
    this.previewed = null
    if (!offer || !this.decider) return
    void this.decider.preview([offer.text]).then((found) => {
      if (this.staged?.text === offer.text) this.previewed = found
    })
  }

  /** Draw a decision as if it were staged, with nothing to tap; null: none. */
  show(offer: Offer | null, previewed: Previewed | null = null): void {
    this.shown = offer !== null
    this.offers = offer ? [offer] : []
    this.picked = offer ? [...offer.path] : []
    this.staged = offer
    this.previewed = previewed
  }

  /** Take back the last tap. */
  back(): void {
    this.#pick(this.picked.slice(0, -1))
  }

  clear(): void {
    this.picked = []
    this.staged = null
    this.previewed = null
  }

  /** Make the staged decision. */
  async confirm(): Promise<boolean> {
    return this.staged ? this.send([this.staged.text]) : false
  }

  /** Make a run of decisions, all or none. */
  async send(texts: string[]): Promise<boolean> {
    if (!this.decider || this.sending) return false
    this.sending = true
    try {
      const done = await this.decider.act(texts)
      if (done) this.clear()
      return done
    } finally {
      this.sending = false
    }
  }

  /** What the table would be after a run of decisions; null where that is unknown. */
  async look(texts: string[]): Promise<Previewed | null> {
    return this.decider ? this.decider.preview(texts) : null
  }
}
