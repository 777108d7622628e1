/** A finished match, or a record somebody brought, step by step and from anybody's eyes: Play without decisions. */
import { untrack } from 'svelte'
import { Choice, each } from './choice.svelte'
import type { AnyView, GameUi, LogLine, Moment, Play, SeatView } from './play'
import { beatsOf, type Beat } from './playback'
import { actor, botName } from './table.svelte'
import { playedNote, spanAt, standIn } from './played'
import { call } from './wire/api'
import type { Message, Outline, Replayed } from './wire/protocol.gen'
import { t } from './i18n/language.svelte'

/** Where the match is: at a table of this server, or in a text. */
export type Source = { table: string } | { record: string }
export interface ReplayMoment {
  step: number // steps made when it is seen
  moment: Moment
  message: Message
}

export type Eyes = string // a seat's number, `public` or `open`

/** What ReplayControls moves: one replay, or two at once. */
export interface Steps {
  readonly tellsItself?: boolean // what the last step was is told elsewhere
  readonly ui: GameUi
  readonly step: number
  readonly steps: number
  readonly seats: SeatView[]
  readonly names: Play['names']
  readonly log: LogLine[]
  readonly moments: ReplayMoment[]
  readonly branched?: Outline['branched'] // where it was played on from
  spoilers: 'hidden' | 'shown'
  go(step: number): Promise<void>
  next(way: 1 | -1): number
  nextMoment(way: 1 | -1): number
}

interface Asked {
  step?: number
  decision?: string
}

const at = (source: Source, what: 'outline' | 'replay', eyes: Eyes, more: Asked = {}): Promise<unknown> => {
  if ('record' in source) return call('POST', what, { record: source.record, eyes, ...more })
  const query = new URLSearchParams({ eyes })
  for (const [name, value] of Object.entries(more)) query.set(name, String(value))
  return call('GET', `tables/${encodeURIComponent(source.table)}/${what}?${query}`)
}

export class ReplayPlay implements Play, Steps {
  readonly live = false
  readonly choice = new Choice()
  readonly signals = []
  beat = $state.raw<Beat | null>(null) // of a step forwards: what it told
  eyes = $state<Eyes>('0')
  step = $state(0) // steps made
  spoilers = $state<'hidden' | 'shown'>('hidden') // whether what comes later may be marked
  outline = $state.raw<Outline>() as Outline
  #shown = $state.raw<Replayed>() as Replayed
  #known = new Map<string, Promise<Replayed>>()

  private constructor(
    readonly source: Source,
    readonly ui: GameUi,
  ) {}

  /** A match, made ready at a moment; without one, at the first decision. */
  static async open(
    source: Source,
    load: (game: string) => Promise<GameUi>,
    eyes: Eyes,
    step: number | null,
  ): Promise<ReplayPlay> {
    const outline = (await at(source, 'outline', eyes)) as Outline
    const replay = new ReplayPlay(source, await load(outline.game))
    replay.outline = outline
    replay.eyes = eyes
    const first = outline.steps.findIndex((one) => one.what !== 'chance')
    await replay.go(step ?? Math.max(0, first))
    return replay
  }

  get steps(): number {
    return this.outline.steps.length
  }

  get branched(): Outline['branched'] {
    return this.outline.branched
  }

  get game(): string {
    return this.outline.game
  }

  /** A shown decision that no piece can show is seen in what comes of it. */
  get view(): AnyView {
    const { staged, previewed } = this.choice
    if (staged && previewed && !staged.path.length && this.you !== null) return previewed.view as AnyView
    return this.#shown.view as AnyView
  }

  get open(): AnyView[] | null {
    return (this.#shown.views as AnyView[] | null | undefined) ?? null
  }

  get you(): number | null {
    return /^\d+$/.test(this.eyes) ? Number(this.eyes) : null
  }

  seats = $derived.by((): SeatView[] =>
    this.outline.seats.map((seat, i) => {
      // A table writes the bot's kind where a bot has no name; there it was called as bots are called.
      const own = seat.name && seat.name !== seat.bot ? seat.name : null
      const name = own ?? (seat.bot ? botName(i) : t('seat.number', { n: i + 1 }))
      const played = seat.bot ? [] : (seat.played ?? [])
      const now = spanAt(played, this.step)
      const bot = seat.bot ?? (now?.kind === 'bot' ? (now.bot ?? null) : null)
      return {
        seat: i,
        name,
        kind: bot ? 'bot' : 'person',
        bot,
        you: i === this.you,
        due: this.view.due.includes(i),
        presence: 'here',
        by: standIn(now),
        note: playedNote(name, played),
      }
    }),
  )
  names = $derived(this.seats.map((seat) => seat.name))
  log = $derived.by((): LogLine[] => {
    const lines: LogLine[] = []
    for (const one of this.outline.steps.slice(0, this.step)) {
      for (const message of one.told) lines.push({ message, seat: one.who ?? actor(message), key: lines.length })
    }
    return lines
  })
  /** The last move of each other seat, since one's own; for a spectator, of every seat. */
  marks = $derived.by((): ReadonlyMap<number, LogLine> => {
    const marks = new Map<number, LogLine>()
    for (const line of this.log.slice(-4 * this.seats.length).toReversed()) {
      if (line.seat === null || !this.#matters(line.message)) continue
      if (line.seat === this.you) break
      if (!marks.has(line.seat)) marks.set(line.seat, line)
    }
    return marks
  })
  /** All turning points. The scrubber shows those ahead only where they may be shown. */
  #allMoments = $derived.by((): ReplayMoment[] =>
    this.outline.steps.flatMap((one, i) => {
      for (const message of one.told) {
        const moment = this.ui.moment?.(message)
        if (moment) return [{ step: i + 1, moment, message }]
      }
      return []
    }),
  )
  moments = $derived(this.#allMoments.filter((one) => this.spoilers === 'shown' || one.step <= this.step))

  /** The step of the next turning point, forwards or back, shown or not; else the end or the beginning. */
  nextMoment(way: 1 | -1): number {
    const steps = this.#allMoments.map((one) => one.step)
    if (way > 0) return steps.find((step) => step > this.step) ?? this.steps
    return steps.findLast((step) => step < this.step) ?? 0
  }

  #matters(message: Message): boolean {
    return (this.ui.events?.importance(message) ?? 1) > 0
  }

  /** The table after a number of steps. Of several quick requests the last one counts. */
  async go(step: number): Promise<void> {
    this.choice.show(null)
    const to = Math.max(0, Math.min(this.steps, step))
    const forwards = to === this.next(1)
    this.step = to
    this.beat = null
    const shown = await this.#fetch(to)
    if (this.step === to && shown.eyes === this.eyes) {
      this.#shown = shown
      if (forwards) this.beat = this.#beatOf(to)
    }
    void this.#fetch(Math.min(this.steps, this.next(1)))
  }

  /** Draw on the board what a seat decided at this moment, or could have: as it would have been shown it, then. */
  async show(seat: number, text: string, words: Message): Promise<void> {
    const { step } = this
    const offer = { text, words, path: each(this.ui.paths(text))[0] ?? [] }
    this.choice.show(offer)
    const found = await this.#fetch(step, String(seat), text)
    if (this.step === step && this.choice.staged === offer) this.choice.show(offer, found.previewed ?? null)
  }

  /** Other eyes, the same moment. */
  async seeAs(eyes: Eyes): Promise<void> {
    this.choice.show(null)
    this.eyes = eyes
    const outline = (await at(this.source, 'outline', eyes)) as Outline
    const shown = await this.#fetch(this.step)
    if (this.eyes !== eyes) return
    this.outline = outline
    this.#shown = shown
  }

  /** The next step, forwards (1) or back (-1), of which this viewer heard something. */
  next(way: 1 | -1): number {
    return untrack(() => {
      let step = this.step + way
      while (step > 0 && step < this.steps && this.outline.steps[step - 1]?.told.length === 0) step += way
      return Math.max(0, Math.min(this.steps, step))
    })
  }

  /** The events of a step, for pieces that travel. */
  #beatOf(step: number): Beat | null {
    const told = this.outline.steps[step - 1]?.told.length ?? 0
    const importance = this.ui.events?.importance.bind(this.ui.events) ?? (() => 1 as const)
    return (told && beatsOf(this.log.slice(-told), importance).at(-1)) || null
  }

  #fetch(step: number, eyes = this.eyes, decision?: string): Promise<Replayed> {
    const key = `${eyes} ${step} ${decision ?? ''}`
    let found = this.#known.get(key)
    if (!found) {
      found = at(
        this.source,
        'replay',
        eyes,
        decision === undefined ? { step } : { step, decision },
      ) as Promise<Replayed>
      this.#known.set(key, found)
      found.catch(() => this.#known.delete(key))
    }
    return found
  }

  signal(): Promise<boolean> {
    return Promise.resolve(false)
  }
}

/** Two replays of the same deal, stepped together. The shorter one waits at its end. */
export class PairedReplay implements Steps {
  readonly tellsItself = true

  constructor(
    readonly left: ReplayPlay,
    readonly right: ReplayPlay,
  ) {}

  /** The longer of both: it has all steps. */
  get #long(): ReplayPlay {
    return this.left.steps >= this.right.steps ? this.left : this.right
  }

  get ui() {
    return this.#long.ui
  }

  get step() {
    return this.#long.step
  }

  get steps() {
    return this.#long.steps
  }

  get seats() {
    return this.#long.seats
  }

  get names() {
    return this.#long.names
  }

  get log() {
    return this.#long.log
  }

  get moments() {
    return this.#long.moments
  }

  get spoilers() {
    return this.#long.spoilers
  }

  set spoilers(to: 'hidden' | 'shown') {
    this.#long.spoilers = to
  }

  async go(step: number): Promise<void> {
    await Promise.all([this.left.go(step), this.right.go(step)])
  }

  async seeAs(eyes: Eyes): Promise<void> {
    await Promise.all([this.left.seeAs(eyes), this.right.seeAs(eyes)])
  }

  next(way: 1 | -1): number {
    return this.#long.next(way)
  }

  nextMoment(way: 1 | -1): number {
    return this.#long.nextMoment(way)
  }
}
