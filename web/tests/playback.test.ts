// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogLine } from '../src/play'
import { beatsOf, standingTime, type GameEvents, type Pace } from '../src/playback'
import { Playback } from '../src/playback.svelte'

let key = 0
const at = (seat: number) => ({ code: 'core.seat', params: { seat } })
const line = (code: string, seat: number | null = 1): LogLine => ({
  message: { code: `toy.${code}`, params: seat === null ? {} : { who: at(seat) } },
  seat,
  key: key++,
})
/** What happens to a seat, and nobody did. */
const befalls = (code: string, seat: number): LogLine => ({
  message: { code: `toy.${code}`, params: { seat: at(seat) } },
  seat,
  key: key++,
})
const events: GameEvents = {
  importance: ({ code }) => (code.startsWith('toy.dull') ? 0 : code.startsWith('toy.big') ? 2 : 1),
}

describe('how long a line stands', () => {
  it('is at least 1.2 seconds and 60 milliseconds a letter at normal pace', () => {
    expect(standingTime(3, 'normal')).toBe(1200)
    expect(standingTime(100, 'normal')).toBe(6000)
  })
  it('follows the pace', () => {
    expect(standingTime(100, 'slow')).toBeGreaterThan(6000)
    expect(standingTime(100, 'quick')).toBeLessThan(6000)
    expect(standingTime(100, 'instant')).toBe(0)
    expect(standingTime(3, 'step')).toBe(Infinity)
  })
})

describe('beats', () => {
  const codes = (lines: LogLine[]) =>
    beatsOf(lines, events.importance).map((b) => [b.line.message.code, b.folded.length])
  it('fold trivial lines into what matters, and never the other way round', () => {
    expect(codes([line('dull'), line('big'), line('dull'), line('move'), line('dull')])).toEqual([
      ['toy.big', 2],
      ['toy.move', 1],
    ])
  })
  it('are one where all is trivial', () => {
    expect(codes([line('dull.1'), line('dull.2')])).toEqual([['toy.dull.2', 1]])
    expect(codes([])).toEqual([])
  })
})

describe('playback', () => {
  let pace: Pace
  beforeEach(() => {
    vi.useFakeTimers()
    pace = 'normal'
  })
  afterEach(() => void vi.useRealTimers())
  const make = () =>
    new Playback<string>({ pace: () => pace, say: ({ message }) => message.code, you: () => 0 }, events)
  const arrived = (state: string, ...lines: LogLine[]) => ({ state, lines, asks: false })

  it('shows the first state at once and tells nothing of what was before', () => {
    const playback = make()
    playback.push(arrived('a', line('move')))
    expect([playback.shown, playback.beat, playback.since.length]).toEqual(['a', null, 0])
  })
  it('shows what comes faster than it can be read one after the other', () => {
    const playback = make()
    playback.push(arrived('a'))
    playback.push(arrived('b', line('move.1')))
    playback.push(arrived('c', line('move.2', 2)))
    expect([playback.shown, playback.beat?.line.message.code, playback.waiting]).toEqual(['b', 'toy.move.1', 1])
    vi.advanceTimersByTime(1199)
    expect(playback.shown).toBe('b')
    vi.advanceTimersByTime(2)
    expect([playback.shown, playback.beat?.line.message.code, playback.behind]).toEqual(['c', 'toy.move.2', false])
    vi.advanceTimersByTime(1201)
    expect(playback.beat).toBeNull()
    expect([...playback.marks.keys()]).toEqual([1, 2])
  })
  it('gives each thing that matters its time, also where one decision brought several', () => {
    const playback = make()
    playback.push(arrived('a'))
    playback.push(arrived('b', line('move'), line('dull'), line('big.noise', null)))
    expect(playback.beat?.line.message.code).toBe('toy.move')
    vi.advanceTimersByTime(1201)
    expect(playback.beat?.line.message.code).toBe('toy.big.noise')
  })
  it('shows all at once when one acts, and what comes of it too', () => {
    const playback = make()
    playback.push(arrived('a'))
    for (const state of 'bcd') playback.push(arrived(state, line('move')))
    expect(playback.shown).toBe('b')
    playback.act()
    expect([playback.shown, playback.waiting, playback.since.length]).toEqual(['d', 0, 3])
    playback.push({ ...arrived('d2', line('mine', 0)), asks: true })
    expect([playback.shown, playback.since.length, playback.marks.size]).toEqual(['d2', 3, 1]) // still your turn
    playback.act()
    playback.push(arrived('e', line('mine', 0)))
    expect([playback.shown, playback.since.length, playback.marks.size]).toEqual(['e', 0, 0])
    playback.push(arrived('f', line('move')))
    expect([playback.shown, playback.since.length]).toEqual(['f', 1])
  })
  it('tells what chance and the others did with one’s own decision, without delaying the next', () => {
    const playback = make()
    playback.push(arrived('a'))
    playback.act()
    playback.push({ ...arrived('b', line('mine', 0), line('move'), line('dull'), line('big.noise', null)), asks: true })
    expect([playback.shown, playback.beat?.line.message.code, playback.behind]).toEqual(['b', 'toy.move', false])
    vi.advanceTimersByTime(1201)
    expect(playback.beat?.line.message.code).toBe('toy.big.noise')
    playback.act() // whoever decides meanwhile is not held up
    expect(playback.beat).toBeNull()
    playback.push(arrived('c', line('mine', 0), line('dull')))
    expect([playback.shown, playback.beat]).toEqual(['c', null])
  })
  it('tells what befalls oneself, but no trifle, and marks none of it as a move', () => {
    const playback = make()
    playback.push(arrived('a'))
    playback.act()
    playback.push(arrived('b', line('mine', 0), befalls('big.strike', 0), befalls('dull.draw', 0)))
    expect([playback.shown, playback.beat?.line.message.code]).toEqual(['b', 'toy.big.strike'])
    expect(playback.since.map(({ message }) => message.code)).toEqual(['toy.big.strike'])
    expect(playback.marks.size).toBe(0)
    vi.advanceTimersByTime(1201)
    playback.push(arrived('c', befalls('dull.draw', 0)))
    expect([playback.shown, playback.beat]).toEqual(['c', null])
  })
  it('keeps what happened since the last turn, without what is trivial or one’s own', () => {
    const playback = make()
    playback.push(arrived('a'))
    playback.push(arrived('b', line('move.1'), line('dull'), line('mine', 0)))
    playback.push(arrived('c', line('move.2')))
    playback.catchUp()
    expect(playback.since.map(({ message }) => message.code)).toEqual(['toy.move.1', 'toy.move.2'])
    expect(playback.marks.get(1)?.message.code).toBe('toy.move.2')
  })
  it('waits for a tap at the pace “step”', () => {
    pace = 'step'
    const playback = make()
    playback.push(arrived('a'))
    playback.push(arrived('b', line('move')))
    playback.push(arrived('c', line('move')))
    vi.advanceTimersByTime(60_000)
    expect(playback.shown).toBe('b')
    playback.next()
    expect(playback.shown).toBe('c')
  })
  it('shows everything at once at the pace “instant”, and follows a change of pace', () => {
    pace = 'instant'
    const playback = make()
    playback.push(arrived('a'))
    playback.push(arrived('b', line('move')))
    expect([playback.shown, playback.beat]).toEqual(['b', null])
    pace = 'step'
    playback.push(arrived('c', line('move')))
    playback.push(arrived('d', line('move')))
    pace = 'quick'
    playback.repace()
    vi.advanceTimersByTime(541)
    expect(playback.shown).toBe('d')
  })
  it('tells a line again, and goes on', () => {
    const playback = make()
    playback.push(arrived('a'))
    playback.push(arrived('b', line('move')))
    vi.advanceTimersByTime(1201)
    playback.recall(playback.since[0] as LogLine)
    expect(playback.beat?.line.message.code).toBe('toy.move')
    playback.push(arrived('c', line('move')))
    expect(playback.shown).toBe('b')
    vi.advanceTimersByTime(1201)
    expect(playback.shown).toBe('c')
  })
})
