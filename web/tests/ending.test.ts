import { beforeAll, describe, expect, it } from 'vitest'
import { endingText } from '../src/home/ending'
import { words } from '../src/i18n/language.svelte'

describe('how a match of this device ended', () => {
  beforeAll(() => words.need('web'))

  it('is said of the team where all share one fate', () => {
    expect(endingText({ left: 0, verdict: 'perfect' }, 1)).toBe('no card left: perfect')
    expect(endingText({ left: 3, verdict: 'near' }, null)).toBe('3 cards left')
    expect(endingText({ won: true, teams: 3, needed: 3 }, null)).toBe('won')
    expect(endingText({ won: false, teams: 1, needed: 3 }, 0)).toBe('lost with 1 of 3 teams')
  })

  it('is said of our seat where somebody wins', () => {
    expect(endingText({ winners: [1], scores: [80, 90] }, 1)).toBe('won')
    expect(endingText({ winners: [0, 2], survivors: [2, 1, 2] }, 2)).toBe('a shared win')
    expect(endingText({ winners: [0] }, 1)).toBe('lost')
  })

  it('is not said where it is not known', () => {
    expect(endingText({ winners: [0] }, null)).toBeNull()
    expect(endingText({ odd: 1 }, 0)).toBeNull()
  })
})
