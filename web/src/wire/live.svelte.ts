/** One live table: the socket to it, what it last said, and what was asked of it.
 *
 * It comes back by itself after a lost connection, a slept phone or a restarted server. A decision that was on its way then is
 * sent again while its question (`ask`) is still open; the server does it once.
 */
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { patience } from './patience.svelte'
import { PROTOCOL, type Message, type Room, type Said, type Seen, type Table, type Wire } from './protocol.gen'

export type Status = 'connecting' | 'here' | 'lost' | 'reload' | 'gone'
type Event = Wire['event']
type Command = Wire['command']
type Answer = Extract<Event, { type: 'done' | 'refused' | 'previewed' | 'worked-out' | 'hinted' }>
type Unsent = Exclude<Command, { type: 'hello' }>

interface Waiting {
  command: Unsent
  answer: (answer: Answer | null) => void
  done: () => void // stops the clock that shows how long it takes
}

const BACKOFF = [0, 300, 800, 2000, 4000, 8000] // milliseconds before the next try
const WAIT = new Set(['server.limit', 'server.store.down']) // refusals that pass by themselves
const STUCK = 8000 // milliseconds without an answer: the socket is dead and does not know it
const SILENT = 12_000 // ms; a page hidden for longer reconnects when it is shown: the socket may be dead

export class Live {
  status = $state<Status>('connecting')
  table = $state.raw<Table | null>(null)
  seen = $state.raw<Seen | null>(null)
  told = $state.raw<Message[]>([]) // all lines heard, as messages
  heard = $state.raw<string[]>([])
  seat = $state<number | null>(null)
  maker = $state(false)
  gone = $state.raw<Message | null>(null) // why the server closed the door
  notice = $state.raw<Message | null>(null) // what it said about our place when it let us in
  news = $state.raw<Message[]>([]) // the new lines of the last `seen`
  room = $state.raw<Room | null>(null) // where people look at the match together, once it is open
  said = new SvelteMap<number, Said>()
  onseen: (() => void) | null = null // called with every `seen`; effects would see only the last of several
  muted = new SvelteSet<string>() // people whose chat is not shown here
  /** May people talk now? Silent games are silent while they are played. */
  chatting = $derived(this.table !== null && !(this.table.silent && this.table.phase === 'playing'))

  #socket: WebSocket | null = null
  #tries = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #number = 0
  #waiting = new Map<number, Waiting>()
  #hidden = 0
  #closed = false
  #arrived: () => void = () => {} // the welcome is there
  #fresh = false // the next `seen` is the first one on this connection
  #known: string[] | null = null // what was heard when the last one ended
  #ahead = -Infinity // by how much the server's clock is ahead of ours, as far as is known; milliseconds

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
    this.#arrived()
    for (const id of [...this.#waiting.keys()]) this.#settle(id, null)
  }

  /** Ask something; null when it could not be answered (the connection was lost, and the question with it). */
  ask(command: Unsent): Promise<Answer | null> {
    const id = ++this.#number
    const sent = { ...command, id }
    return new Promise((answer) => {
      const late = patience.begin()
      const stuck = setTimeout(() => this.status === 'here' && this.#socket?.close(), STUCK)
      const done = (): void => {
        clearTimeout(stuck)
        late()
      }
      this.#waiting.set(id, { command: sent, answer, done })
      if (this.status === 'here') this.#send(sent)
      else if (command.type !== 'act') this.#settle(id, null)
    })
  }

  /** Milliseconds until a clock decides for this seat; null where none runs. */
  left(now: number): number | null {
    const deadline = this.seen?.deadline
    if (deadline == null || !this.table?.clock) return null
    const most = this.table.clock + (this.table.reserve ?? 0)
    return Math.max(0, Math.min(most * 1000, deadline * 1000 - (now + this.#ahead)))
  }

  /** Hear the person on a seat no more, or again: here at once, and the server keeps it. */
  mute(seat: number, muted: boolean): void {
    const person = this.table?.seats[seat]?.person
    if (person == null) return
    if (muted) this.muted.add(person)
    else this.muted.delete(person)
    void this.ask({ type: 'mute', seat, chat: muted ? 'muted' : 'heard' })
  }

  /** Send `hello` again: the person's seat may have changed. */
  renew(): void {
    this.#tries = 0
    this.#socket?.close()
  }

  #settle(id: number, answer: Answer | null): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.done()
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
    this.#arrived()
    this.#arrived = patience.begin()
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL }))
    socket.onmessage = (event) => this.#hear(JSON.parse(String(event.data)) as Event)
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost()
    }
  }

  #lost(): void {
    this.#socket = null
    this.#arrived()
    for (const [id, { command }] of this.#waiting) if (command.type !== 'act') this.#settle(id, null)
    if (this.#closed || this.status === 'gone' || this.status === 'reload') return
    this.status = 'lost'
    this.#again()
  }

  #hear(event: Event): void {
    switch (event.type) {
      case 'welcome':
        this.#arrived()
        this.#tries = 0
        this.#fresh = true
        this.#known = this.seen ? this.heard : null
        this.seat = event.seat
        this.maker = event.maker
        this.notice = event.notice ?? null
        this.status = 'here'
        this.told = []
        this.heard = []
        break
      case 'table':
        this.table = event
        break
      case 'seen': {
        const before = this.#fresh ? this.#known : this.heard
        this.told = [...this.told.slice(0, event.keep), ...event.told]
        this.heard = [...this.heard.slice(0, event.keep), ...event.heard]
        this.news = before ? this.told.slice(overlap(before, this.heard)) : []
        if (event.deadline != null && this.table?.clock)
          this.#ahead = Math.max(this.#ahead, (event.deadline - this.table.clock) * 1000 - Date.now())
        this.seat = event.seat
        this.seen = event
        if (this.#fresh) this.#resend(event)
        this.#fresh = false
        this.onseen?.()
        break
      }
      case 'room':
        this.room = event
        break
      case 'said':
        this.said.set(event.number, event)
        break
      case 'joined': // for programs: this page joins by a request, which sets the cookie
        break
      case 'reload':
        this.status = 'reload'
        break
      case 'removed':
        this.status = 'gone'
        this.gone = event.reason
        break
      case 'refused':
        if (event.id == null) {
          if (WAIT.has(event.reason.code)) break // the socket is closed after it, and we come again
          this.#arrived()
          this.status = 'gone'
          this.gone = event.reason
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
      else this.#settle(id, null)
    }
  }
}

/** How many of the lines now heard were known before: what both begin with, then what is left of the old ones after lines were
 *  withdrawn. (In Silver & Gold the last lines are withdrawn when a turn is over.)
 */
export function overlap(before: readonly string[], now: readonly string[]): number {
  let common = 0
  while (common < Math.min(before.length, now.length) && before[common] === now[common]) common++
  for (let n = Math.min(before.length, now.length) - common; n > 0; n--) {
    const start = before.length - n
    if (now.slice(common, common + n).every((line, i) => line === before[start + i])) return common + n
  }
  return common
}
