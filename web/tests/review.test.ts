import { beforeAll, describe, expect, it } from 'vitest'
import { words } from '../src/i18n/language.svelte'
import { change, figure, hand, kindOf, recordWith, sum, takeHanded } from '../src/review.svelte'
import type { KeyMoment, Review } from '../src/wire/protocol.gen'

const RECORD = `tacit 1
game silencio 2
seats 2
options {}
tag seat0 "Ada"
tag opening "KEY SALT"
* deal 0 r5
0 claim
# annulled 0 pass
! 1 nod
1 pass
= {"left": 3}
`
const of = (unit: Review['unit']): Review => ({ unit }) as Review

describe('a review', () => {
  beforeAll(() => words.need('web'))

  it('makes a record that begins as the match and goes on with the line that wins', () => {
    expect(recordWith(RECORD, 3, ['1 play r5'])).toBe(
      'tacit 1\ngame silencio 2\nseats 2\noptions {}\ntag seat0 "Ada"\n* deal 0 r5\n0 claim\n! 1 nod\n1 play r5\n',
    )
  })

  it('writes figures without a sign, and changes with one', () => {
    expect(figure(of('cards'), -2.04)).toBe('2')
    expect(figure(of('chance'), 0.256)).toBe('26%')
    expect([1.26, -0.5, 0.01].map((value) => change(of('points'), value))).toEqual(['+1.3', '−0.5', '±0'])
  })

  it('writes sums with their noise', () => {
    const lost = { value: -1.26, low: -1.66, high: -0.86 }
    expect(sum(of('points'), lost)).toEqual({ text: '−1.3', noise: '±0.4' })
    expect(sum(of('chance'), { value: -0.5, low: -0.6, high: -0.4 })).toEqual({ text: '−50%', noise: '±10%' })
    expect(sum(of('points'), { value: 2, low: 1.98, high: 2.02 })).toEqual({ text: '+2', noise: '' })
    expect(sum(of('points'), { value: 0.4, low: -0.1, high: 0.9 }).text).toBe('no clear difference')
  })

  it('calls a matter of convention one of style where everybody plays for themselves', () => {
    const moment = { kind: 'convention' } as KeyMoment
    expect([true, false].map((cooperative) => kindOf({ cooperative } as Review, moment))).toEqual([
      'A matter of convention',
      'A matter of style',
    ])
  })

  it('gets a record from the replay once', () => {
    hand('a.tacit', RECORD)
    expect(takeHanded()).toEqual({ name: 'a.tacit', record: RECORD })
    expect(takeHanded()).toBeNull()
  })
})
