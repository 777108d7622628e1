// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { Arrangement, type Keep } from '../src/games/silent-planet/arrangement.svelte'
import de from '../src/games/silent-planet/de.json'
import en from '../src/games/silent-planet/en.json'
import { stand, type Hand } from '../src/games/silent-planet/lane'
import nl from '../src/games/silent-planet/nl.json'
import { paths } from '../src/games/silent-planet/paths'
import type { Arranging } from '../src/games/silent-planet/view.gen'

function making(hand: string, more: Partial<Arranging> = {}): Arranging {
  return { hand: [...hand], placed: [], hints: [], can_reveal: [], spare: 8, cost: { code: 'x' }, ...more }
}
function store(): Keep & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}
const kinds = (row: Arrangement): string => row.cards.map((card) => card.kind).join('')
const id = (row: Arrangement, place: number): number => row.cards[place - 1]?.id ?? -1

describe('paths', () => {
  it('leads from a place to pointing, and nowhere else', () => {
    expect(paths('point 4')).toEqual(['card:4'])
    for (const text of ['place 3', 'reveal 3', 'ready']) expect(paths(text)).toEqual([])
  })
})

describe('arranging', () => {
  it('moves a card and closes up the others', () => {
    const row = new Arrangement(making('112345xxx'), 'k')
    row.move(id(row, 7), 0)
    expect(kinds(row)).toBe('x112345xx')
    row.move(id(row, 1), 99)
    expect(kinds(row)).toBe('112345xxx')
    row.move(id(row, 3), -5)
    expect(kinds(row)).toBe('211345xxx')
  })

  it('by tap and tap puts the picked card where the second tap was', () => {
    const row = new Arrangement(making('112345xxx'), 'k')
    row.tap(id(row, 6))
    expect(row.held).toBe(id(row, 6))
    row.tap(id(row, 1))
    expect(kinds(row)).toBe('511234xxx')
    expect(row.held).toBeNull()
    row.tap(id(row, 2))
    row.tap(id(row, 2))
    expect([kinds(row), row.held]).toEqual(['511234xxx', null])
  })

  it('puts a picked card back where it came from', () => {
    const row = new Arrangement(making('112345xxx'), 'k')
    row.pick(id(row, 5))
    row.move(row.held ?? -1, 0)
    row.move(row.held ?? -1, 3)
    row.back()
    expect([kinds(row), row.held]).toEqual(['112345xxx', null])
  })

  it('sorts with machines last, turns a sorted row round, and leaves hints on their cards', () => {
    const row = new Arrangement(making('112345xxx'), 'k')
    row.move(id(row, 9), 0)
    row.flip(id(row, 4))
    expect([kinds(row), row.hints, row.sorted]).toEqual(['x112345xx', [4], false])
    row.sort()
    expect([kinds(row), row.hints, row.sorted]).toEqual(['112345xxx', [3], true])
    row.sort()
    expect([kinds(row), row.hints]).toEqual(['xxx543211', [7]])
  })

  it('is sent as nine places, hints from left to right, and ready', () => {
    const row = new Arrangement(making('112345xxx'), 'k')
    row.flip(id(row, 9))
    row.flip(id(row, 2))
    row.flip(id(row, 5))
    row.flip(id(row, 5))
    expect(row.texts).toEqual([...'112345xxx'].map((kind) => `place ${kind}`).concat('reveal 2', 'reveal 9', 'ready'))
  })

  it('takes "ready" back when anything changes', () => {
    const row = new Arrangement(making('112345xxx'), 'k')
    const changes = [
      () => row.flip(id(row, 1)),
      () => row.move(id(row, 1), 4),
      () => row.sort(),
      () => row.tap(id(row, 3)),
    ]
    for (const change of changes) {
      row.sure = true
      change()
      expect(row.sure).toBe(false)
    }
  })

  it('survives leaving the page, and only for the same cards', () => {
    const keep = store()
    const row = new Arrangement(making('112345xxx'), 'here', keep)
    row.move(id(row, 9), 0)
    row.flip(id(row, 1))
    const again = new Arrangement(making('112345xxx'), 'here', keep)
    expect([kinds(again), again.hints]).toEqual(['x112345xx', [1]])
    expect(kinds(new Arrangement(making('112345xx5'), 'here', keep))).toBe('112345xx5')
    expect(kinds(new Arrangement(making('112345xxx'), 'there', keep))).toBe('112345xxx')
    row.forget()
    expect(keep.kept.size).toBe(0)
    keep.setItem('here', '{nonsense')
    expect(kinds(new Arrangement(making('112345xxx'), 'here', keep))).toBe('112345xxx')
  })

  it('leaves alone what was sent already', () => {
    const row = new Arrangement(making('345xxx', { placed: ['2', '1', '1'] }), 'k')
    row.move(id(row, 2), 8)
    row.move(id(row, 9), 0)
    expect(kinds(row)).toBe('211x345xx')
    row.sort()
    expect(kinds(row)).toBe('211345xxx')
    row.flip(id(row, 1))
    expect(row.texts.slice(0, 2)).toEqual(['place 3', 'place 4'])
    expect(row.texts.slice(-2)).toEqual(['reveal 1', 'ready'])
    const laid = new Arrangement(
      making('', { placed: [...'112345xxx'], hints: [2, 4], can_reveal: [5, 6, 7, 8, 9] }),
      'k',
    )
    laid.flip(id(laid, 3))
    laid.flip(id(laid, 4))
    laid.flip(id(laid, 6))
    expect([laid.hints, laid.texts]).toEqual([
      [2, 4, 6],
      ['reveal 6', 'ready'],
    ])
  })
})

describe('the hands below a row', () => {
  const hand = (seat: number, position: number, span = 2): Hand => ({ seat, position, now: true, maybe: false, span })
  const overlaps = (hands: Hand[]): boolean => {
    const stood = stand(hands, 9)
    return stood.some((a) =>
      stood.some(
        (b) =>
          a.seat !== b.seat &&
          a.level === b.level &&
          a.start < b.start + b.span - 0.01 &&
          b.start < a.start + a.span - 0.01,
      ),
    )
  }

  it('never lays one name over another, and stays within the row', () => {
    for (let n = 0; n < 9 ** 5; n += 97) {
      const hands = [0, 1, 2, 3, 4].map((seat) =>
        hand(seat, 1 + (Math.floor(n / 9 ** seat) % 9), 1 + ((n * (seat + 3)) % 5) / 3),
      )
      expect(overlaps(hands)).toBe(false)
      for (const one of stand(hands, 9)) {
        expect(one.start).toBeGreaterThanOrEqual(0)
        expect(one.start + one.span).toBeLessThanOrEqual(9.001)
      }
    }
  })

  it('keeps names that have room right below their hands', () => {
    expect(stand([hand(0, 1), hand(1, 5), hand(2, 9)], 9).map((one) => one.level)).toEqual([0, 0, 0])
  })

  it('stacks the names of those who point at the same card', () => {
    const stood = stand([hand(2, 4), hand(0, 4), hand(5, 4)], 9)
    expect(stood.map((one) => one.level).sort()).toEqual([0, 1, 2])
    expect(stood.map((one) => one.shift).sort((a, b) => a - b)).toEqual([-1, 0, 1])
  })
})

describe('the words of the table', () => {
  it('are the same codes with the same parameters in every language', () => {
    const shape = (words: Record<string, unknown>): Record<string, string[]> =>
      Object.fromEntries(
        Object.entries(words).map(([code, text]) => [
          code,
          [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].filter((name) => name !== '{n}').sort(),
        ]),
      )
    expect(shape(de)).toEqual(shape(en))
    expect(shape(nl)).toEqual(shape(en))
  })
})
