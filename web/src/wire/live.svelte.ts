/** One live table: the socket to it, what it last said, and what was asked of it.
 *
 * It comes back by itself after a lost connection, a slept phone or a restarted server. A decision that was on its way then is
 * sent again while its question (`ask`) is still open; the server does it once.
 */
import { SvelteMap } from 'svelte/reactivity'
import { PROTOCOL, type Message, type Said, type Seen, type Table, type Wire } from './protocol.gen'

export type Status = 'connecting' | 'here' | 'lost' | 'reload' | 'gone'
type Event = Wire['event']
type Command = Wire['command']
type Answer = Extract<Event, { type: 'done' | 'refused' | 'previewed' }>
type Unsent = Exclude<Command, { type: 'hello' }>

interface Waiting {
  command: Unsent
  answer: (answer: Answer | null) => void
}

const BACKOFF = [0, 300, 800, 2000, 4000, 8000] // milliseconds before the next try
const SILENT = 12_000 // a page hidden for longer asks anew when it is shown: the socket may be dead without knowing

export class Live {
  status = $state<Status>('connecting')
  table = $state.raw<Table | null>(null)
  seen = $state.raw<Seen | null>(null)
  told = $state.raw<Message[]>([]) // all that was heard, in words
  heard = $state.raw<string[]>([])
  seat = $state<number | null>(null)
  maker = $state(false)
  gone = $state<string | null>(null) // why the server closed the door
  said = new SvelteMap<number, Said>()

  #socket: WebSocket | null = null
  #tries = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #number = 0
  #waiting = new Map<number, Waiting>()
  #hidden = 0
  #closed = false

  constructor(readonly id: string) {
    addEventListener('online', this.#wake)
    addEventListener('pageshow', this.#wake)
    document.addEventListener('visibilitychange', this.#look)
    this.#connect()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    removeEventListener('online', this.#wake)
    removeEventListener('pageshow', this.#wake)
    document.removeEventListener('visibilitychange', this.#look)
    this.#socket?.close()
    for (const { answer } of this.#waiting.values()) answer(null)
    this.#waiting.clear()
  }

  /** Ask something; null when it could not be answered (the connection was lost, and the question with it). */
  ask(command: Unsent): Promise<Answer | null> {
    const id = ++this.#number
    const sent = { ...command, id }
    return new Promise((answer) => {
      this.#waiting.set(id, { command: sent, answer })
      if (this.status === 'here') this.#send(sent)
      else if (command.type !== 'act') this.#settle(id, null)
    })
  }

  #settle(id: number, answer: Answer | null): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.answer(answer)
  }

  #send(command: Command): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command))
  }

  #wake = (): void => {
    if (this.#closed || this.status === 'here' || this.status === 'gone' || this.status === 'reload') return
    this.#tries = 0
    this.#again()
  }

  #look = (): void => {
    if (document.visibilityState === 'hidden') this.#hidden = Date.now()
    else if (this.status === 'here' && this.#hidden && Date.now() - this.#hidden > SILENT) this.#socket?.close()
    else this.#wake()
  }

  #again(): void {
    clearTimeout(this.#timer)
    const wait = BACKOFF[Math.min(this.#tries++, BACKOFF.length - 1)] ?? 0
    this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2))
  }

  #connect(): void {
    if (this.#closed) return
    const old = this.#socket
    if (old && (old.readyState === WebSocket.CONNECTING || old.readyState === WebSocket.OPEN)) return
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${encodeURIComponent(this.id)}/live`)
    this.#socket = socket
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL }))
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as Event)
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost()
    }
  }

  #lost(): void {
    this.#socket = null
    for (const [id, { command }] of this.#waiting) if (command.type !== 'act') this.#settle(id, null)
    if (this.#closed || this.status === 'gone' || this.status === 'reload') return
    this.status = 'lost'
    this.#again()
  }

  #hear(event: Event): void {
    switch (event.type) {
      case 'welcome':
        this.#tries = 0
        this.seat = event.seat
        this.maker = event.maker
        this.status = 'here'
        this.told = []
        this.heard = []
        break
      case 'table':
        this.table = event
        break
      case 'seen':
        this.told = [...this.told.slice(0, event.keep), ...event.told]
        this.heard = [...this.heard.slice(0, event.keep), ...event.heard]
        this.seen = event
        this.#resend(event)
        break
      case 'said':
        this.said.set(event.number, event)
        break
      case 'reload':
        this.status = 'reload'
        break
      case 'removed':
        this.status = 'gone'
        this.gone = event.sentence
        break
      case 'refused':
        if (event.id == null) {
          this.status = 'gone'
          this.gone = event.sentence
        } else this.#settle(event.id, event)
        break
      default:
        if (event.id != null) this.#settle(event.id, event)
    }
  }

  /** After a reconnect: decisions that were under way go again, or are dropped when their question is gone. */
  #resend(seen: Seen): void {
    for (const [id, { command }] of this.#waiting) {
      if (command.type !== 'act') continue
      if (command.ask === seen.ask) this.#send(command)
      else if (seen.ask !== null && command.ask < seen.ask) this.#settle(id, null)
    }
  }
}
