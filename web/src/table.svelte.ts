/** A live table as its game draws it: Play over Live. */
import { untrack } from 'svelte'
import { Choice, type Offer, type Ways } from './choice.svelte'
import type { AnyView, LogLine, Play, SeatView } from './play'
import type { Message, Previewed, Replayed, SeatInfo } from './wire/protocol.gen'
import { call } from './wire/api'
import { Live } from './wire/live.svelte'
import { t } from './i18n/language.svelte'
import { seatOf } from './i18n/messages'

/** Who acted, where a sentence says so. */
export function actor(message: Message): number | null {
  return seatOf(message.params?.who) ?? seatOf(message.params?.seat)
}

export function logOf(told: readonly Message[]): LogLine[] {
  return told.map((message, key) => ({ message, seat: actor(message), key }))
}

export function seatView(info: SeatInfo, seat: number, you: number | null, due: readonly number[]): SeatView {
  return {
    seat,
    name: info.name ?? (info.kind === 'bot' ? botName(seat) : t('seat.number', { n: seat + 1 })),
    kind: info.sitting_in ? 'bot' : info.kind,
    bot: info.sitting_in ?? info.bot ?? null,
    you: seat === you,
    due: due.includes(seat),
    presence: info.kind === 'person' ? (info.presence ?? 'here') : 'here',
  }
}

const BIRDS = ['Kestrel', 'Alder', 'Heron', 'Linden', 'Wren', 'Rowan'] // bots have quiet names, one a seat

export function botName(seat: number): string {
  return BIRDS[seat % BIRDS.length] ?? 'Bot'
}

export class TablePlay implements Play {
  readonly live = true
  open = $state.raw<AnyView[] | null>(null) // once the match is over: each seat's own view
  readonly choice: Choice
  readonly close: () => void
  refused = $state.raw<Message | null>(null) // the last refusal, until something else happens

  constructor(
    readonly line: Live,
    readonly paths: Ways,
  ) {
    this.choice = new Choice({ act: (texts) => this.#act(texts), preview: (texts) => this.#preview(texts) })
    this.close = $effect.root(() => {
      $effect(() => {
        const seen = line.seen
        if (!seen) return
        const asked = seen.ask !== null && line.status === 'here'
        untrack(() =>
          this.choice.offer(asked ? seen.legal : [], asked ? seen.offers : [], this.paths, String(seen.ask)),
        )
      })
      $effect(() => {
        if (line.table?.phase === 'over' && !untrack(() => this.open)) untrack(() => void this.#uncover())
      })
      $effect(() => {
        void [line.seen, this.choice.picked, this.choice.staged]
        this.refused = null
      })
    })
  }

  /** After the match all hands may be looked at. */
  async #uncover(): Promise<void> {
    try {
      const at = `tables/${encodeURIComponent(this.line.id)}/replay?eyes=open&step=999999` // the last step
      const end = await call<Replayed>('GET', at)
      this.open = (end.views ?? null) as AnyView[] | null
    } catch {
      // not to be had: then what one knew oneself stays what one sees
    }
  }

  get game(): string {
    return this.line.table?.game ?? ''
  }

  get view(): AnyView {
    return this.line.seen?.view as AnyView
  }

  get you(): number | null {
    return this.line.seat
  }

  seats = $derived.by((): SeatView[] => {
    const due = (this.line.seen?.view as AnyView | undefined)?.due ?? []
    return (this.line.table?.seats ?? []).map((info, seat) => seatView(info, seat, this.line.seat, due))
  })
  names = $derived(this.seats.map((seat) => seat.name))
  log = $derived.by(() => logOf(this.line.told))
  signals = $derived.by((): Offer[] => {
    const seen = this.line.seen
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
    const ask = this.line.seen?.ask
    if (ask == null) return false
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
