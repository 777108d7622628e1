import { describe, expect, it } from 'vitest'
import { bestOf, deviceBest, worthOf } from '../src/best'
import { suggest } from '../src/games/zombie-city/suggest'
import { isWon, nextBot, seriesOf } from '../src/rematch'
import type { SavedTable } from '../src/savedTables.svelte'
import type { Table } from '../src/wire/protocol.gen'

const series = (...list: Partial<SavedTable>[]) =>
  seriesOf('now', (table) => list.find((one) => one.table === table) as SavedTable | undefined)

describe('the score of a series', () => {
  it('counts the matches that led to this one', () => {
    const found = series(
      { table: 'now', after: 'b', seat: 0, result: { winners: [0] } },
      { table: 'b', after: 'a', seat: 2, result: { winners: [1] } },
      { table: 'a', after: null, seat: 1, result: { winners: [0, 1] } },
      { table: 'other', after: null, seat: 0, result: { winners: [0] } },
    )
    expect(found).toEqual({ played: 3, won: 2, best: null, left: [] })
  })

  it('lists cards left, oldest first', () => {
    expect(
      series({ table: 'now', after: 'a', result: { left: 0 } }, { table: 'a', after: null, result: { left: 7 } }),
    ).toEqual({ played: 2, won: 1, best: { score: 0, better: 'lower' }, left: [7, 0] })
  })

  it('ends where the device remembers no further, and never runs in circles', () => {
    expect(series({ table: 'now', after: 'gone', result: { won: true } }).played).toBe(1)
    expect(series({ table: 'now', after: 'now', result: { won: true } }).played).toBe(1)
  })
})

describe('what a result was worth', () => {
  it('is read from the result of every game', () => {
    expect(worthOf({ left: 3 }, 0)).toEqual({ score: 3, better: 'lower' })
    expect(worthOf({ teams: 2 }, 1)).toEqual({ score: 2, better: 'higher' })
    expect(worthOf({ scores: [65, 62] }, 1)).toEqual({ score: 62, better: 'higher' })
    expect(worthOf({ survivors: [4, 0] }, null)).toBeNull()
    expect(worthOf(null, 0)).toBeNull()
  })

  it('is compared as the game counts', () => {
    expect(bestOf([{ score: 5, better: 'lower' }, null, { score: 2, better: 'lower' }])?.score).toBe(2)
    expect(
      bestOf([
        { score: 5, better: 'higher' },
        { score: 2, better: 'higher' },
      ])?.score,
    ).toBe(5)
  })

  it('is kept on the device with where it was reached', () => {
    const at = (table: string): Table => ({ table, game: 'silencio', options: {}, seats: [] }) as unknown as Table
    expect(deviceBest(at('a'), { score: 4, better: 'lower' })).toBeNull() // the first: there was nothing to beat
    expect(deviceBest(at('a'), { score: 4, better: 'lower' })).toBeNull() // looked at again
    expect(deviceBest(at('b'), { score: 6, better: 'lower' })).toMatchObject({ score: 4, table: 'a' })
    expect(deviceBest(at('c'), { score: 0, better: 'lower' })).toMatchObject({ score: 0, table: 'c' })
    expect(deviceBest(at('c'), { score: 0, better: 'lower' })?.table).toBe('c') // looked at again
  })
})

describe('what to try next', () => {
  const table = (...bots: (string | null)[]): Table =>
    ({ seats: [{ kind: 'person' }, ...bots.map((bot) => (bot ? { kind: 'bot', bot } : { kind: 'person' }))] }) as Table

  it('is a stronger bot after a win, a gentler one after a loss', () => {
    expect(nextBot(table('gentle', 'gentle'), 0, true)).toBe('steady')
    expect(nextBot(table('steady'), 0, false)).toBe('gentle')
    expect(nextBot(table('gentle'), 0, false)).toBeNull()
    expect(nextBot(table('search'), 0, true)).toBeNull()
    expect(nextBot(table('gentle', 'steady'), 0, true)).toBeNull()
    expect(nextBot(table('gentle', null), 0, true)).toBeNull()
  })

  it('knows a win in every game', () => {
    expect(isWon({ left: 0 }, 0)).toBe(true)
    expect(isWon({ winners: [1] }, 0)).toBe(false)
    expect(isWon({ won: true }, 2)).toBe(true)
  })

  it('is another Zombie City, as its rulebook advises', () => {
    const after = (winners: number[], options: Record<string, number | boolean>) =>
      suggest({ winners }, options, 0)?.options
    expect(after([0], { survivors: 2 })).toEqual({ survivors: 1 })
    expect(after([0], { survivors: 1 })).toEqual({ expert: true })
    expect(after([0], { survivors: 1, expert: true })).toBeUndefined()
    expect(after([1], { survivors: 2 })).toEqual({ survivors: 3 })
    expect(after([1], { survivors: 3 })).toBeUndefined()
  })
})
