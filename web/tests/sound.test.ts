import { describe, expect, it } from 'vitest'
import type { GameUi } from '../src/play'
import { soundOf } from '../src/sound'

const ui = {
  moment: ({ code }: { code: string }) => (code === 'toy.won' ? { icon: '', mood: 'good' } : null),
  events: { importance: ({ code }: { code: string }) => (code === 'toy.deal' ? 0 : 1) },
} as unknown as GameUi

describe('how a sentence sounds', () => {
  it.each([
    ['zombie-city', 'zombie-city.chance.horde', 'growl'],
    ['zombie-city', 'zombie-city.tell.done', null],
    ['silver-and-gold', 'silver-and-gold.tell.mark', 'chalk'],
    ['toy', 'toy.won', 'good'],
    ['toy', 'toy.move', 'card'],
    ['toy', 'toy.deal', null],
  ] as const)('%s %s: %s', (game, code, wanted) => {
    expect(soundOf(game, { code }, ui)).toBe(wanted)
  })
})
