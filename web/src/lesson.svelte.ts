/** One step of a lesson, or a puzzle, as a line to a table: the server has the rules and the answers, this page has what was done so far. */
import { tick } from 'svelte'
import type { AnyView } from './play'
import { myName } from './setup'
import type { Line } from './table.svelte'
import { call, Refusal } from './wire/api'
import { overlap } from './wire/live.svelte'
import type { Message, Previewed, Refused, Seen, Table, Tried } from './wire/protocol.gen'

export type Source = 'lessons' | 'puzzles'
type Command = Parameters<Line['ask']>[0]
type Answer = Awaited<ReturnType<Line['ask']>>

/** A view that asks what the lesson asks. A table's own hint may still name what the game's question names. */
function asking(view: AnyView, ask: Message): AnyView {
  return { ...view, ask: { ...ask, params: { ...view.ask.params, ...ask.params } } }
}

export class LessonLine implements Line {
  readonly id = ''
  status = $state<Line['status']>('connecting')
  table = $state.raw<Table | null>(null)
  seen = $state.raw<Seen | null>(null)
  told = $state.raw<Message[]>([])
  news = $state.raw<Message[]>([])
  seat = $state<number | null>(null)
  onseen: (() => void) | null = null
  steps = $state.raw<string[]>([]) // the names of all steps
  note = $state.raw<Message | null>(null) // what the last right decision brought
  wrong = $state.raw<Message | null>(null) // why the last one was none, until the next is tried; a puzzle has no next
  done = $state(false)
  #played: string[] = []
  #heard: string[] = []

  constructor(
    readonly game: string,
    readonly step: number, // counted from 1
    readonly source: Source = 'lessons',
  ) {}

  /** Sets the position up. Throws a Refusal where the game has no such step. */
  async open(): Promise<void> {
    await this.#show(await this.#post<Tried>('', { played: [], texts: [] }))
    this.status = 'here'
  }

  async ask(command: Command): Promise<Answer> {
    try {
      if (command.type === 'act') return await this.#try(command.texts)
      if (command.type === 'signal') return await this.#try([`! ${command.text}`])
      if (command.type !== 'preview') return null
      this.wrong = null // something else is being looked at
      return await this.#post<Previewed>('/preview', { played: this.#played, texts: command.texts })
    } catch (error) {
      if (!(error instanceof Refusal)) return null
      return { type: 'refused', reason: error.reason, sentence: error.message } satisfies Refused
    }
  }

  /** A wrong decision is taken back with its reason; for the table it is done with. */
  async #try(texts: string[]): Promise<Answer> {
    const tried = await this.#post<Tried>('', { played: this.#played, texts })
    this.wrong = tried.reason
    if (!tried.reason || tried.done) await this.#show(tried)
    return { type: 'done' }
  }

  #post<T>(more: string, body: unknown): Promise<T> {
    return call<T>('POST', `${this.source}/${encodeURIComponent(this.game)}/${this.step}${more}`, body)
  }

  /** Each moment on its own, so that all of it is seen and read out. */
  async #show(tried: Tried): Promise<void> {
    this.#played = tried.played
    this.steps = tried.steps
    this.table ??= this.#tableOf(tried)
    for (const [i, moment] of tried.moments.entries()) {
      const last = i === tried.moments.length - 1
      this.news = this.seen ? moment.told.slice(overlap(this.#heard, moment.heard)) : []
      this.told = moment.told
      this.#heard = moment.heard
      this.seat = moment.seat
      if (last) {
        this.note = tried.note
        this.done = tried.done
      }
      this.seen = last && tried.ask ? { ...moment, view: asking(moment.view as AnyView, tried.ask) } : moment
      this.onseen?.()
      await tick()
    }
  }

  #tableOf({ seats, moments }: Tried): Table {
    const bot = { kind: 'bot' as const, bot: 'gentle' }
    const you = { kind: 'person' as const, name: myName() }
    return {
      type: 'table',
      table: '',
      game: this.game,
      options: {},
      phase: 'playing',
      seats: Array.from({ length: seats }, (_, seat) => (seat === moments[0]?.seat ? you : bot)),
      visibility: 'private',
      spectators: 'none',
      clock: null,
      silent: true,
      grace: 0,
    }
  }
}
