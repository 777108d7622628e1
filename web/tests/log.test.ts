// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { chaptersOf, type Telling } from '../src/log'
import type { LogLine } from '../src/play'

const lines = (...told: string[]): LogLine[] =>
  told.map((one, key) => {
    const [code = '', who] = one.split(' ')
    const params = who === undefined ? {} : { who: { code: 'core.seat', params: { seat: Number(who) } } }
    return { key, seat: null, message: { code, params } }
  })
const how: Telling = { dealing: ({ code }) => code.startsWith('deal') }
const shape = (told: LogLine[], more: Partial<Telling> = {}): string[] =>
  chaptersOf(told, { ...how, ...more }).map(
    (one) =>
      `${one.kind} ${one.seat} ${one.lines.map((line) => line.message.code + 'x'.repeat(line.times - 1)).join('+')}`,
  )

describe('the log in chapters', () => {
  it('folds what was dealt, and makes a chapter of each turn, oldest first', () => {
    expect(shape(lines('deal1', 'deal2', 'play 0', 'event', 'play 1', 'end 1'))).toEqual([
      'dealt null deal1+deal2',
      'turn 0 play+event',
      'turn 1 play+end',
    ])
  })

  it('keeps what comes before the first turn', () => {
    expect(shape(lines('start', 'play 0'))).toEqual(['lines null start', 'turn 0 play'])
  })

  it('counts the same sentence once', () => {
    expect(shape(lines('pass 0', 'pass 0', 'pass 1'))).toEqual(['turn 0 passx', 'turn 1 pass'])
  })

  it('begins anew at a heading of the game', () => {
    const heads: Telling['heads'] = ({ code }) => code === 'round'
    expect(shape(lines('play 0', 'round', 'play 0'), { heads })).toEqual([
      'turn 0 play',
      'heading null round',
      'turn 0 play',
    ])
  })
})
