/** A live table over a socket that breaks. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Live, overlap } from '../src/wire/live.svelte'
import type { Table, Wire } from '../src/wire/protocol.gen'

class FakeSocket {
  static made: FakeSocket[] = []
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  readyState = 0
  sent: Wire['command'][] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null

  constructor(readonly url: string) {
    FakeSocket.made.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Wire['command'])
  }
  close(): void {
    this.readyState = 3
    this.onclose?.()
  }
  open(): void {
    this.readyState = 1
    this.onopen?.()
  }
  hear(event: object): void {
    this.onmessage?.({ data: JSON.stringify(event) })
  }
}

const last = (): FakeSocket => FakeSocket.made.at(-1)!
const welcome = { type: 'welcome', protocol: 1, software: 'x', seat: 0, maker: true }
const table = (more: Partial<Table> = {}): Table => ({
  type: 'table',
  table: 'T',
  game: 'toy',
  options: {},
  phase: 'playing',
  seats: [{ kind: 'person', name: 'Ada' }, { kind: 'open' }],
  visibility: 'private',
  spectators: 'none',
  clock: null,
  silent: false,
  grace: 60,
  ...more,
})
const seen = (ask: number | null, heard: string[] = [], keep = 0, more: object = {}): object => ({
  type: 'seen',
  seat: 0,
  ask,
  view: {},
  legal: [],
  offers: [],
  signals: [],
  signal_offers: [],
  keep,
  heard,
  told: heard.map((text) => ({ code: 'web.raw', params: { text } })),
  ...more,
})

let live: Live
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  FakeSocket.made = []
  live = new Live('T')
})
afterEach(() => {
  live.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function enter(...events: object[]): FakeSocket {
  last().open()
  for (const event of [welcome, ...events]) last().hear(event)
  return last()
}
const acts = (socket: FakeSocket) => socket.sent.filter((command) => command.type === 'act')
const said = (list: { params?: object }[]) => list.map((message) => (message.params as { text: string }).text)

describe('a live table', () => {
  it('says hello, then asks, and gets its own answers', async () => {
    const socket = enter(table(), seen(4))
    expect(socket.sent[0]).toEqual({ type: 'hello', protocol: 1 })
    expect(live.status).toBe('here')
    const one = live.ask({ type: 'act', ask: 4, texts: ['a'] })
    const two = live.ask({ type: 'preview', texts: ['b'] })
    const [first, second] = socket.sent.slice(1)
    socket.hear({ type: 'refused', id: second!.id, reason: { code: 'x.y' }, sentence: '' })
    socket.hear({ type: 'done', id: first!.id })
    expect((await one)?.type).toBe('done')
    expect((await two)?.type).toBe('refused')
  })

  it('comes back by itself, waiting longer each time', () => {
    enter(table(), seen(1)).close()
    expect(live.status).toBe('lost')
    let made = FakeSocket.made.length
    const waits: number[] = []
    for (let i = 0; i < 5; i++) {
      let waited = 0
      while (FakeSocket.made.length === made && waited < 30_000) {
        vi.advanceTimersByTime(50)
        waited += 50
      }
      waits.push(waited)
      made = FakeSocket.made.length
      last().close()
    }
    expect(waits[0]).toBeLessThanOrEqual(50)
    expect(waits[4]!).toBeGreaterThan(waits[1]!)
  })

  it('sends a decision again while its question is open', async () => {
    const first = enter(table(), seen(4))
    const answer = live.ask({ type: 'act', ask: 4, texts: ['a'] })
    first.close()
    vi.advanceTimersByTime(1000)
    const second = enter(table(), seen(4))
    expect(acts(second)).toEqual(acts(first))
    second.hear({ type: 'done', id: acts(second)[0]!.id, again: true })
    expect(await answer).toMatchObject({ type: 'done', again: true })
  })

  it.each([5, null])('does not send it again when the question is gone (now %s)', async (ask) => {
    const first = enter(table(), seen(4))
    const answer = live.ask({ type: 'act', ask: 4, texts: ['a'] })
    first.close()
    vi.advanceTimersByTime(1000)
    const second = enter(table(), seen(ask))
    expect(acts(second)).toEqual([])
    expect(await answer).toBeNull()
  })

  it('does not double a decision when others act while it is on its way', () => {
    const socket = enter(table(), seen(4))
    void live.ask({ type: 'act', ask: 4, texts: ['a'] })
    socket.hear(seen(4, ['1 x']))
    expect(acts(socket)).toHaveLength(1)
  })

  it('drops a preview with the connection, and decides nothing by it', async () => {
    const socket = enter(table(), seen(4))
    const answer = live.ask({ type: 'preview', texts: ['a'] })
    socket.close()
    expect(await answer).toBeNull()
  })

  it('keeps what was heard by `keep`, and knows what is new, also after a reconnect and behind a curtain', () => {
    const socket = enter(table(), seen(1, ['a', 'b']))
    expect(said(live.news)).toEqual([]) // the first look is no news
    socket.hear(seen(2, ['c'], 2))
    expect(live.heard).toEqual(['a', 'b', 'c'])
    expect(said(live.news)).toEqual(['c'])
    socket.close()
    vi.advanceTimersByTime(1000)
    const next = enter(table(), seen(2, ['a', 'b', 'c', 'd']))
    expect(live.heard).toEqual(['a', 'b', 'c', 'd'])
    expect(said(live.news)).toEqual(['d'])
    next.hear(seen(3, ['d', 'e']))
    expect(said(live.news)).toEqual(['e'])
  })

  it('is told when its seat became another, when the table became its own, and that it is a guest', () => {
    const two = [{ kind: 'person' as const, name: 'Ada' }, { kind: 'open' as const }]
    const socket = enter({ ...welcome, maker: false }, table({ phase: 'gathering', seats: two }))
    expect(live.seat).toBe(0)
    socket.hear({ ...welcome, maker: false, seat: 1 })
    expect(live.seat).toBe(1)
    socket.hear({ ...welcome, maker: true, seat: 1 })
    expect(live.maker).toBe(true)
    expect(live.notice).toBeNull()
    socket.hear({ ...welcome, maker: false, seat: null, notice: { code: 'server.key.stale' } })
    expect(live.notice?.code).toBe('server.key.stale')
  })

  it('stays away once it was removed, but comes again after a moment of too much', () => {
    enter(table()).hear({ type: 'refused', reason: { code: 'server.limit' }, sentence: '' })
    last().close()
    expect(live.status).toBe('lost')
    vi.advanceTimersByTime(1000)
    enter(table()).hear({ type: 'removed', reason: { code: 'server.table.closed' }, sentence: 'x' })
    expect(live.gone?.code).toBe('server.table.closed')
    const made = FakeSocket.made.length
    last().close()
    vi.advanceTimersByTime(60_000)
    expect(live.status).toBe('gone')
    expect(FakeSocket.made.length).toBe(made)
  })

  it('asks to be loaded again by a server of another version', () => {
    last().open()
    last().hear({ type: 'reload', protocol: 2, sentence: 'x' })
    expect(live.status).toBe('reload')
  })

  it('reads a clock by the server’s time, whatever ours says', () => {
    vi.setSystemTime(1_000_000)
    const ahead = 3600 // the server's clock is an hour ahead
    enter(table({ clock: 60 }), seen(1, [], 0, { deadline: 1000 + ahead + 60 }))
    expect(live.left(Date.now())).toBe(60_000)
    expect(live.left(Date.now() + 45_000)).toBe(15_000)
    expect(live.left(Date.now() + 99_000)).toBe(0)
  })
})

describe('overlap', () => {
  it.each([
    [['a', 'b'], ['a', 'b', 'c'], 2],
    [['a', 'b', 'c'], ['c', 'd'], 1],
    [['a'], ['b'], 0],
    [[], ['b'], 0],
    [['a', 'a'], ['a', 'a', 'a'], 2],
    [['deal', 'deal', 'L3', 'mark'], ['deal', 'deal', 'T4'], 2],
    [['deal', 'L3', 'mark', 'take'], ['deal', 'take', 'T4'], 2],
  ])('%j then %j', (before, now, n) => {
    expect(overlap(before, now)).toBe(n)
  })
})
