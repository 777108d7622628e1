import { beforeAll, describe, expect, it } from 'vitest'
import { clashOf } from '../src/games/silent-planet/names'
import { words } from '../src/i18n/language.svelte'

describe('why a team is broken', () => {
  beforeAll(() => words.need('silent-planet', 'silent-planet-table'))

  it('counts what clashes, the most first, and names no machine', () => {
    expect(clashOf(['3', '5', '3']).toLowerCase()).toBe('two 3s and a 5')
    expect(clashOf(['2', 'x', '1', '2', '1', '4']).toLowerCase()).toBe('two 1s, two 2s and a 4')
  })
})
