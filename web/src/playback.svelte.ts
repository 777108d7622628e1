/** A queue between what arrives over the wire and what is shown: everything is seen, in order, at a human pace.
 *
 *  Each arrival is a state of the table and the lines that led to it. Arrivals wait until the lines before them have stood
 *  long enough. Whoever acts, or asks for it, sees the newest state at once: nothing here delays a decision.
 */
import { seatOf } from './i18n/messages'
import type { LogLine } from './play'
import { beatsOf, standingTime, type Beat, type GameEvents, type Importance, type Pace } from './playback'

export interface Arrival<S> {
  state: S
  lines: readonly LogLine[] // that led to this state
  asks: boolean // whether it asks you for a decision
}

export interface PlaybackOptions {
  pace(): Pace
  say(line: LogLine): string // a line in words: its length decides how long it stands
  you(): number | null // whose eyes
}

const PLAIN: GameEvents = { importance: () => 1 }

export class Playback<S> {
  shown = $state.raw<S | null>(null) // the state on the table
  beat = $state.raw<Beat | null>(null) // the event being shown, or null
  waiting = $state(0) // arrivals that are not shown yet
  since = $state.raw<LogLine[]>([]) // what happened since your last turn, without trivial lines
  marks = $state.raw<ReadonlyMap<number, LogLine>>(new Map()) // the last move of each other seat
  #queue: Arrival<S>[] = []
  #beats: Beat[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #acted = false // the next arrival answers your own decision

  constructor(
    readonly options: PlaybackOptions,
    public events: GameEvents = PLAIN,
  ) {}

  get behind(): boolean {
    return this.waiting > 0
  }

  /** Something arrived. The first state, and one without lines while nothing waits, is shown at once. */
  push(arrival: Arrival<S>): void {
    const own = this.#acted
    this.#acted = false
    if (this.shown === null) {
      this.shown = arrival.state
      return
    }
    if (own && !arrival.asks) {
      this.since = [] // your turn has ended
      this.marks = new Map()
    }
    this.#queue.push(arrival)
    this.waiting = this.#queue.length
    if (own) {
      this.catchUp()
      // Already on the table, but told: what chance and the others did with it.
      this.#beats = this.#beatsOf(arrival.lines).filter((one) => this.#importance(one) > 0)
      this.#advance()
    } else if (this.beat === null) this.#advance()
  }

  /** You decided: what waits is shown now, and so is what comes of it. */
  act(): void {
    this.catchUp()
    this.#acted = true
  }

  /** Shows the newest state at once. Events that were not shown are in `since`. */
  catchUp(): void {
    clearTimeout(this.#timer)
    for (const arrival of this.#queue) {
      this.shown = arrival.state
      this.#note(arrival.lines)
    }
    this.#queue = []
    this.#beats = []
    this.waiting = 0
    this.beat = null
  }

  /** The next beat, before its time: for the pace `step`, and for a tap. */
  next(): void {
    clearTimeout(this.#timer)
    this.#advance()
  }

  /** The pace has changed: what stands now stands as long as the new one says. */
  repace(): void {
    if (this.beat === null) return
    clearTimeout(this.#timer)
    this.#hold(this.beat)
  }

  /** Shows an event of `since` again, then goes on. */
  recall(line: LogLine): void {
    clearTimeout(this.#timer)
    this.beat = { line, folded: [] }
    this.#hold(this.beat)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #advance(): void {
    for (;;) {
      const beat = this.#beats.shift()
      if (beat) {
        this.beat = beat
        if (this.#hold(beat)) return
        continue
      }
      const arrival = this.#queue.shift()
      this.waiting = this.#queue.length
      if (!arrival) {
        this.beat = null
        return
      }
      this.shown = arrival.state
      this.#note(arrival.lines)
      this.#beats = this.#beatsOf(arrival.lines)
    }
  }

  /** What is told of these lines. */
  #beatsOf(lines: readonly LogLine[]): Beat[] {
    return beatsOf(lines, (message) => this.events.importance(message)).filter(({ line }) => !this.#own(line))
  }

  /** Whether you need not be told: you did it yourself, or it is a trifle. What befalls you is news. */
  #own({ message, seat }: LogLine): boolean {
    const you = this.options.you()
    if (you === null || seat !== you) return false
    return seatOf(message.params?.who) === you || this.events.importance(message) === 0
  }

  /** Lets a beat stand; false where it does not stand at all. */
  #hold(beat: Beat): boolean {
    const time = standingTime(this.options.say(beat.line).length, this.options.pace())
    if (time === 0) return false
    if (time !== Infinity) this.#timer = setTimeout(() => this.#advance(), this.#importance(beat) ? time : time / 3)
    return true
  }

  #importance(beat: Beat): Importance {
    return this.events.importance(beat.line.message)
  }

  #note(lines: readonly LogLine[]): void {
    const told = lines.filter((line) => !this.#own(line) && this.events.importance(line.message) > 0)
    if (told.length === 0) return
    this.since = [...this.since, ...told]
    const marks = new Map(this.marks)
    for (const line of told) if (line.seat !== null && line.seat !== this.options.you()) marks.set(line.seat, line)
    this.marks = marks
  }
}
