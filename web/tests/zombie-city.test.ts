import { flushSync } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import { render } from '@testing-library/svelte'
import { Choice } from '../src/choice.svelte'
import { events, fallen, happening, meaning, pictured, ranks, signOf } from '../src/games/zombie-city/events'
import Mob from '../src/games/zombie-city/Mob.svelte'
import { familyOf, figures, newcomers, paths, tally } from '../src/games/zombie-city/paths'
import type { LogLine, Play } from '../src/play'
import { settings } from '../src/settings.svelte'
import type { Message } from '../src/wire/protocol.gen'

settings.motion = 'none'
const seat = (n: number): Message => ({ code: 'core.seat', params: { seat: n } })
const line = (key: number, code: string, params: Record<string, unknown> = {}): LogLine => ({
  message: { code: `zombie-city.${code}`, params },
  seat: null,
  key,
})

function choose(...texts: string[]): { choice: Choice; sent: string[][] } {
  const sent: string[][] = []
  const act = async (chosen: string[]): Promise<boolean> => sent.push(chosen) > 0
  const choice = new Choice({ act, preview: async () => null })
  choice.offer(texts, [], paths, '1')
  return { choice, sent }
}

describe('paths', () => {
  it.each([
    ['keep', []],
    ['done', []],
    ['brace', []],
    ['discard axe', ['card:axe', 'pile']],
    ['noise flare', ['card:flare', 'noise']],
    ['play walkie', [['card:walkie']]],
    ['play axe fast', [['card:axe', 'zombie:fast.0']]],
    ['play sniper city', ['card:sniper', 'city']],
    ['play sabotage 2', ['card:sabotage', 'seat:2']],
    ['play drone fast 3', ['card:drone', 'zombie:fast.0', 'seat:3']],
    ['use alarm', [['barrier:alarm']]],
    ['send strong 0', ['zombie:strong.0', 'seat:0']],
    ['use mines regular regular', [['barrier:mines', 'zombie:regular.0', 'zombie:regular.1']]],
    [
      'play shotgun regular fast',
      [
        ['card:shotgun', 'zombie:regular.0', 'zombie:fast.0'],
        ['card:shotgun', 'zombie:fast.0', 'zombie:regular.0'],
      ],
    ],
  ])('%s', (text, pieces) => expect(paths(text)).toEqual(pieces))

  it('lets two zombies be tapped in either order', async () => {
    const { choice, sent } = choose('play shotgun regular fast', 'play shotgun strong', 'discard shotgun', 'done')
    for (const piece of ['card:shotgun', 'zombie:fast.0', 'zombie:regular.0']) expect(choice.tap(piece)).toBe(true)
    expect(choice.staged?.text).toBe('play shotgun regular fast')
    choice.tap('zombie:regular.0')
    await vi.waitFor(() => expect(sent).toEqual([['play shotgun regular fast']]))
  })

  it('shows mines for one zombie, and goes on to two', () => {
    const { choice } = choose('use mines regular', 'use mines regular regular', 'use mines regular strong', 'brace')
    choice.tap('barrier:mines')
    expect(choice.staged).toBeNull()
    choice.tap('zombie:regular.0')
    expect(choice.staged?.text).toBe('use mines regular')
    expect(choice.can('zombie:regular.1') && choice.can('zombie:strong.0')).toBe(true)
    choice.tap('zombie:regular.1')
    expect(choice.staged?.text).toBe('use mines regular regular')
  })

  it('shows a card that needs no target at once, and still lets it be discarded', () => {
    const { choice } = choose('play walkie', 'discard walkie', 'noise walkie', 'done')
    choice.tap('card:walkie')
    expect(choice.staged?.text).toBe('play walkie')
    choice.tap('pile')
    expect(choice.staged?.text).toBe('discard walkie')
    choice.tap('card:walkie')
    choice.tap('card:walkie')
    choice.tap('noise')
    expect(choice.staged?.text).toBe('noise walkie')
  })
})

describe('figures', () => {
  it('stand one by one while they are few, and together when they are many', () => {
    expect(figures({ regular: 2, fast: 1, strong: 0 }).map((f) => f.key)).toEqual(['regular.0', 'regular.1', 'fast.0'])
    const many = figures({ regular: 4, fast: 0, strong: 2 })
    expect(many.map((f) => [f.kind, f.n])).toEqual([
      ['regular', 4],
      ['strong', 2],
    ])
    const tapped = figures({ regular: 4, fast: 0, strong: 2 }, 5, { regular: 1 })
    expect(tapped.map((f) => [f.kind, f.n])).toEqual([
      ['regular', 1],
      ['regular', 3],
      ['strong', 2],
    ])
  })

  it('know who is new', () => {
    const before = { regular: 1, fast: 2, strong: 0 }
    expect(newcomers(before, { regular: 2, fast: 1, strong: 2 })).toEqual(['regular', 'strong', 'strong'])
  })

  it('counts what is alike', () => {
    expect(tally(['barricade', 'mines', 'barricade'])).toEqual([
      ['barricade', 2],
      ['mines', 1],
    ])
    expect(familyOf('flare')).toBe('rescue')
  })
})

describe('a mob', () => {
  const pressed = (root: HTMLElement): string[] =>
    [...root.querySelectorAll('[aria-pressed=true]')].map((found) => found.getAttribute('data-piece') ?? '')

  it('lights the zombie that was tapped, and a second tap on it decides', async () => {
    const { choice, sent } = choose('play axe regular', 'done')
    choice.tap('card:axe')
    const { container } = render(Mob, { crowd: { regular: 3, fast: 0, strong: 0 }, choice })
    const third = (): HTMLElement => container.querySelectorAll<HTMLElement>('.spot .piece')[2] as HTMLElement
    third().click()
    flushSync()
    expect(pressed(container)).toEqual(['zombie:regular.0'])
    expect(third().getAttribute('data-piece')).toBe('zombie:regular.0')
    third().click()
    await vi.waitFor(() => expect(sent).toEqual([['play axe regular']]))
  })

  it('takes two of a crowd one after the other', () => {
    const { choice } = choose('play shotgun regular regular', 'done')
    choice.tap('card:shotgun')
    const { container } = render(Mob, { crowd: { regular: 9, fast: 0, strong: 0 }, choice })
    for (let i = 0; i < 2; i++) {
      container.querySelector<HTMLElement>('.piece.can')?.click()
      flushSync()
    }
    expect(choice.staged?.text).toBe('play shotgun regular regular')
    expect(pressed(container)).toEqual(['zombie:regular.0', 'zombie:regular.1'])
  })
})

describe('what happened', () => {
  const log = [
    line(0, 'chance.start', { seat: seat(1) }),
    line(1, 'tell.megaphone', { who: seat(1) }),
    line(2, 'event.noise', { seat: seat(1) }),
    line(3, 'chance.turn', { zombie: { code: 'zombie-city.zombie.fast' } }),
    line(4, 'event.come', { seat: seat(1) }),
    line(5, 'chance.deal', { seat: seat(1) }),
  ]

  it('says where it was noisy', () => {
    expect(happening(log)).toEqual({ key: 5, noise: 1 })
    expect(happening([line(9, 'event.strike', { seat: seat(2), n: 2 })])).toEqual({ key: 9, noise: null })
  })

  it('never lets a seat that is done replace what it did', () => {
    const matters = (code: string): number => events.importance({ code: `zombie-city.${code}`, params: {} })
    expect(matters('tell.done')).toBe(0)
    expect(matters('tell.surprise')).toBe(2)
    expect(matters('event.strike')).toBe(2)
  })

  it('marks a seat with the card that it played', () => {
    const card = { code: 'zombie-city.card.axe' }
    expect(signOf({ code: 'zombie-city.tell.kill', params: { card } })).toBe('zc-axe')
    expect(signOf({ code: 'zombie-city.tell.drone', params: {} })).toBe('zc-drone')
    expect(signOf({ code: 'zombie-city.event.out', params: {} })).toBe('zc-claw')
  })

  it('lets zombies walk and cards be drawn unseen', () => {
    const nowhere = [{}, {}] as unknown as [LogLine, Play] // these events need neither the line nor the table
    const zombie = { code: 'zombie-city.zombie.fast' }
    const drone = events.travels?.(
      { code: 'zombie-city.tell.drone', params: { who: seat(1), seat: seat(2), zombie } },
      ...nowhere,
    )
    expect(drone).toContainEqual({ from: 'seat:1', to: 'seat:2', face: 'up', art: 'zc-fast' })
    const deal = events.travels?.({ code: 'zombie-city.chance.deal', params: { seat: seat(1) } }, ...nowhere)
    expect(deal).toEqual([{ from: 'draw', to: 'seat:1', face: 'down' }])
  })

  it('ranks the winners first and those who are out by how long they stood', () => {
    const outs = [line(0, 'event.out', { seat: seat(2) }), line(1, 'event.out-cards', { seat: seat(0) })]
    expect(fallen(outs)).toEqual([2, 0])
    const last = ranks({ survivors: [0, 3, 0], winners: [1], reason: 'last-standing' }, outs)
    expect(last.map((rank) => [rank.seat, rank.place, rank.fell])).toEqual([
      [1, 1, null],
      [0, 2, 2],
      [2, 3, 1],
    ])
    const shared = ranks({ survivors: [2, 2, 1], winners: [0, 1], reason: 'cleared' }, [])
    expect(shared.map((rank) => rank.place)).toEqual([1, 1, 3])
  })

  it('says what the result means for you', () => {
    const cleared = { survivors: [4, 1, 3, 0], winners: [0], reason: 'cleared' }
    expect(meaning(cleared, 0)).toEqual({ code: 'won.margin', n: 1 })
    expect(meaning(cleared, 1)).toEqual({ code: 'lost.few', n: 3 })
    expect(meaning(cleared, 3)).toEqual({ code: 'lost.out', n: 0 })
    expect(meaning(cleared, null)).toBeNull()
    expect(meaning({ survivors: [0, 2], winners: [1] }, 1)).toBeNull() // the last one standing: the reason says it
    expect(meaning({ survivors: [2, 2], winners: [0, 1] }, 1)).toBeNull() // shared
  })

  it('has pictures for zombies and cards', () => {
    expect(pictured({ code: 'zombie-city.one.fast' })).toEqual({ sort: 'zombie', name: 'fast' })
    expect(pictured({ code: 'zombie-city.card.unknown' })).toBeNull()
    expect(pictured(seat(1))).toBeNull()
  })
})
