import { describe, expect, it } from 'vitest'
import { seriesOf } from '../src/rematch'
import type { SavedTable } from '../src/savedTables.svelte'

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
    expect(found).toEqual({ played: 3, won: 2, left: [] })
  })

  it('lists cards left, oldest first', () => {
    expect(
      series({ table: 'now', after: 'a', result: { left: 0 } }, { table: 'a', after: null, result: { left: 7 } }),
    ).toEqual({ played: 2, won: 1, left: [7, 0] })
  })

  it('ends where the device remembers no further, and never runs in circles', () => {
    expect(series({ table: 'now', after: 'gone', result: { won: true } }).played).toBe(1)
    expect(series({ table: 'now', after: 'now', result: { won: true } }).played).toBe(1)
  })
})
