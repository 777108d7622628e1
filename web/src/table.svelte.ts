/** A live table as its game draws it: Play over Live. */
import { untrack } from 'svelte'
import { Choice, type Offer } from './choice.svelte'
import type { AnyView, GameUi, LogLine, Play, SeatView } from './play'
import { playedNote, standIn } from './played'
import { Playback } from './playback.svelte'
import { settings } from './settings.svelte'
import type { Message, Previewed, Replayed, SeatInfo, Seen, Span } from './wire/protocol.gen'
import { call } from './wire/api'
import type { Live } from './wire/live.svelte'
import { t, words } from './i18n/language.svelte'
import { namesFor, seatOf } from './i18n/messages'

/** Who acted, where a sentence says so. */
export function actor(message: Message): number | null {
  return seatOf(message.params?.who) ?? seatOf(message.params?.seat)
}

export function logOf(told: readonly Message[]): LogLine[] {
  return told.map((message, key) => ({ message, seat: actor(message), key }))
}

export function seatView(info: SeatInfo, seat: number, you: number | null, due: readonly number[]): SeatView {
  const name = info.name ?? (info.kind === 'bot' ? botName(seat) : t('seat.number', { n: seat + 1 }))
  const played = info.kind === 'person' ? (info.played ?? []) : []
  const now: Pick<Span, 'kind' | 'bot'> | null = info.sitting_in
    ? { kind: 'bot', bot: info.sitting_in }
    : (played.at(-1) ?? (info.client ? { kind: info.client } : null))
  return {
    seat,
    name,
    kind: info.sitting_in ? 'bot' : info.kind,
    bot: info.sitting_in ?? info.bot ?? null,
    you: seat === you,
    due: due.includes(seat),
    presence: info.kind === 'person' ? (info.presence ?? 'here') : 'here',
    by: standIn(now),
    note: playedNote(name, played),
  }
}

const BIRDS = ['Kestrel', 'Alder', 'Heron', 'Linden', 'Wren', 'Rowan'] // bots have quiet names, one a seat

export function botName(seat: number): string {
  return BIRDS[seat % BIRDS.length] ?? 'Bot'
}

/** What a seat sees, with all lines heard until then. */
interface Sight {
  seen: Seen
  told: readonly Message[]
}

/** What a table is played over: a live one, or a lesson. */
export type Line = Pick<Live, 'id' | 'status' | 'table' | 'seen' | 'told' | 'news' | 'seat' | 'onseen' | 'ask'>

const MOST = 40 // lines at once; the rest is in the log

export class TablePlay implements Play {
  readonly live = true
  #uncovered = $state.raw<AnyView[] | null>(null) // once the match is over: each seat's own view
  readonly choice: Choice
  readonly close: () => void
  refused = $state.raw<Message | null>(null) // the last refusal, until something else happens

  readonly playback: Playback<Sight>

  constructor(
    readonly line: Line,
    readonly ui: GameUi,
  ) {
    const say = (one: LogLine): string => words.say(one.message, this.names)
    this.playback = new Playback<Sight>({ pace: () => settings.pace, say, you: () => line.seat }, ui.events)
    line.onseen = () => this.#arrive()
    this.#arrive()
    this.choice = new Choice({ act: (texts) => this.#act(texts), preview: (texts) => this.#preview(texts) })
    const stop = $effect.root(() => {
      $effect(() => {
        const seen = this.playback.shown?.seen
        if (!seen) return
        const asked = seen.ask !== null && line.status === 'here' && !this.playback.behind
        untrack(() => this.choice.offer(asked ? seen.legal : [], asked ? seen.offers : [], ui.paths, String(seen.ask)))
      })
      $effect(() => {
        void settings.pace
        untrack(() => this.playback.repace())
      })
      $effect(() => {
        if (line.table?.phase === 'over' && !untrack(() => this.#uncovered)) untrack(() => void this.#uncover())
      })
      $effect(() => {
        void [this.playback.shown, this.choice.picked, this.choice.staged]
        this.refused = null
      })
    })
    this.close = () => {
      stop()
      line.onseen = null
      this.playback.close()
    }
  }

  /** Queue a new state. A hidden page keeps none. */
  #arrive(): void {
    const { seen, told, news } = this.line
    if (!seen) return
    const lines = logOf(told).slice(told.length - news.length)
    this.playback.push({ state: { seen, told }, lines, asks: seen.ask !== null })
    if (document.visibilityState === 'hidden' || news.length > MOST) this.playback.catchUp()
  }

  get #seen(): Seen | null {
    return this.playback.shown?.seen ?? null
  }

  /** Whether the match is over, and all of it was shown. */
  get over(): boolean {
    return this.line.table?.phase === 'over' && !this.playback.behind
  }

  /** Each seat's own view, once the end was shown: until then hands stay closed. */
  get open(): AnyView[] | null {
    const delayed = this.#seen?.views as AnyView[] | null | undefined // of a spectator who sees everything, but later
    return delayed ?? (this.over ? this.#uncovered : null)
  }

  get beat() {
    return this.playback.beat
  }

  get marks() {
    return this.playback.marks
  }

  /** After the match all hands may be looked at. */
  async #uncover(): Promise<void> {
    try {
      const at = `tables/${encodeURIComponent(this.line.id)}/replay?eyes=open&step=999999` // the last step
      const end = await call<Replayed>('GET', at)
      this.#uncovered = (end.views ?? null) as AnyView[] | null
    } catch {
      // not to be had: then what one knew oneself stays what one sees
    }
  }

  get game(): string {
    return this.line.table?.game ?? ''
  }

  get view(): AnyView {
    return this.#seen?.view as AnyView
  }

  /** The viewing seat; of a spectator, the seat whose eyes were lent. */
  get you(): number | null {
    return this.line.seat ?? this.#seen?.eyes ?? null
  }

  /** What the seat may take back now; null: nothing. */
  get undo(): Message | null {
    const seen = this.line.seen
    return seen?.undo == null || this.playback.behind || this.over ? null : (seen.undo_offer ?? null)
  }

  /** Take back the last decision. */
  async takeBack(): Promise<boolean> {
    const ask = this.line.seen?.undo
    if (ask == null) return false
    this.choice.clear()
    return this.#took(await this.line.ask({ type: 'undo', ask }))
  }

  seats = $derived.by((): SeatView[] => {
    const due = (this.#seen?.view as AnyView | undefined)?.due ?? []
    return (this.line.table?.seats ?? []).map((info, seat) => seatView(info, seat, this.line.seat, due))
  })
  names = $derived.by(() =>
    namesFor(
      this.seats.map((seat) => seat.name),
      this.line.seat,
    ),
  )
  log = $derived.by(() => logOf(this.playback.shown?.told ?? []))
  signals = $derived.by((): Offer[] => {
    const seen = this.#seen
    return (seen?.signals ?? []).map((text, i) => ({
      text,
      words: seen?.signal_offers[i] ?? { code: 'web.raw', params: { text } },
      path: [],
    }))
  })

  async signal(text: string): Promise<boolean> {
    const answer = await this.line.ask({ type: 'signal', text })
    return this.#took(answer)
  }

  async #act(texts: string[]): Promise<boolean> {
    const ask = this.#seen?.ask
    if (ask == null) return false
    this.playback.act()
    return this.#took(await this.line.ask({ type: 'act', ask, texts }))
  }

  #took(answer: Awaited<ReturnType<Live['ask']>>): boolean {
    this.refused = answer?.type === 'refused' ? answer.reason : null
    return answer?.type === 'done'
  }

  async #preview(texts: string[]): Promise<Previewed | null> {
    const answer = await this.line.ask({ type: 'preview', texts })
    return answer?.type === 'previewed' ? answer : null
  }
}
