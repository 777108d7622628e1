// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { Choice, type Decider } from '../src/choice.svelte'
import { nearest, paths, placesOf, turningsOf } from '../src/games/silver-and-gold/places'
import { Stencil } from '../src/games/silver-and-gold/stencil.svelte'
import type { Shape } from '../src/games/silver-and-gold/view.gen'

const L4 = ['ooo', 'o..']
const PICTURES: [string, string[], number][] = [
  ['I2', ['oo'], 2],
  ['I3', ['ooo'], 2],
  ['L3', ['oo', 'o.'], 4],
  ['T4', ['ooo', '.o.'], 4],
  ['L4', L4, 8],
  ['O4', ['oo', 'oo'], 1],
]

describe('the pieces a decision touches', () => {
  it('are cards, cells, places of the shape, the deck', () => {
    expect(paths('keep p1 s4')).toEqual([
      ['card:p1', 'card:s4'],
      ['card:s4', 'card:p1'],
    ])
    expect(paths('mark o5 b1 c1 d1 d2')).toEqual(['place:o5:b1+c1+d1+d2'])
    expect(paths('cross o5 b1')).toEqual(['cell:o5:b1'])
    expect(paths('bonus p12 d4')).toEqual(['cell:p12:d4'])
    expect(paths('take g3')).toEqual(['card:g3'])
    expect(paths('take deck')).toEqual(['deck'])
  })
})

describe('the turnings of a shape', () => {
  it.each(PICTURES)('%s has each of its ways once, the pictured one first', (_, picture, ways) => {
    const turnings = turningsOf(picture)
    expect(turnings).toHaveLength(ways)
    const drawn = picture.flatMap((row, y) => [...row].flatMap((sign, x) => (sign === 'o' ? [[x, y]] : [])))
    expect(turnings[0]?.spots).toEqual(drawn)
  })

  it.each(PICTURES)('%s comes back after four turns, and after two mirrors', (_, picture) => {
    const turnings = turningsOf(picture)
    turnings.forEach((way, i) => {
      let at = i
      for (let turn = 0; turn < 4; turn++) at = turnings[at]?.turned ?? -1
      expect(at).toBe(i)
      expect(turnings[way.mirrored]?.mirrored).toBe(i)
    })
  })

  it('reaches all eight ways of the L by turning and one mirror', () => {
    const turnings = turningsOf(L4)
    const reached = new Set<number>()
    for (const begin of [0, turnings[0]?.mirrored ?? 0])
      for (let at = begin, turn = 0; turn < 4; turn++, at = turnings[at]?.turned ?? 0) reached.add(at)
    expect(reached.size).toBe(8)
  })

  it('of nothing are none', () => expect(turningsOf([])).toEqual([]))
})

describe('listed decisions as places', () => {
  const turnings = turningsOf(L4)
  const places = placesOf(
    ['mark o5 b1 c1 d1 d2', 'mark p8 b1 b2 b3 c3', 'cross o5 a1', 'mark o5 a1 b1 a2 b2', 'take deck'],
    turnings,
  )

  it('match the way the shape lies there; what is not this shape is left out', () => {
    expect(places.map((place) => place.text)).toEqual(['mark o5 b1 c1 d1 d2', 'mark p8 b1 b2 b3 c3', 'cross o5 a1'])
    expect(turnings[places[0]?.turning ?? -1]?.spots).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 1],
    ])
    expect(places[2]?.turning).toBe(-1)
  })

  it('know their middle, and the nearest is found', () => {
    expect(places[0]?.middle).toEqual([2.75, 0.75])
    expect(nearest(places, [0.4, 0.6])?.text).toBe('cross o5 a1')
    expect(nearest(places, [0.4, 3.9], 0.5)).toBeNull()
  })
})

describe('the shape in the hand', () => {
  const shape: Shape = { name: 'L3', words: { code: 'x' }, rows: ['oo', 'o.'] }
  const LEGAL = [
    'mark o5 a1 b1 a2', // as pictured
    'mark o5 a1 b1 b2', // turned once
    'mark o5 b1 c1 c2',
    'mark p8 c3 c4 d4', // the third and last way lies on the other island only
    'cross o5 a1',
    'cross o5 c1',
    'cross p8 d4',
  ]
  function made(legal = LEGAL): { stencil: Stencil; choice: Choice; sent: string[][] } {
    const sent: string[][] = []
    const decider: Decider = {
      act: (texts) => {
        sent.push(texts)
        return Promise.resolve(true)
      },
      preview: () => Promise.resolve(null),
    }
    const choice = new Choice(decider)
    choice.offer(legal, [], paths, '1')
    const stencil = new Stencil(choice, () => shape)
    stencil.reset()
    return { stencil, choice, sent }
  }

  it('is laid by the first tap and crossed off by the second, on any of its cells', () => {
    const { stencil, choice, sent } = made()
    stencil.tap('o5', 'a2')
    expect(choice.staged?.text).toBe('mark o5 a1 b1 a2')
    expect(sent).toEqual([])
    stencil.tap('o5', 'b1')
    expect(sent).toEqual([['mark o5 a1 b1 a2']])
  })

  it('turns by itself where only another way fits', () => {
    const { stencil, choice } = made()
    stencil.tap('p8', 'd4')
    expect(choice.staged?.text).toBe('mark p8 c3 c4 d4')
    expect(stencil.held.spots).toEqual(stencil.turnings[stencil.way]?.spots)
  })

  it('stays where it lies when it is turned and fits; else it is lifted, and lies again when it fits', () => {
    const { stencil, choice } = made()
    stencil.tap('o5', 'a1')
    stencil.turn()
    expect(choice.staged?.text).toBe('mark o5 a1 b1 b2')
    stencil.turn()
    expect(choice.staged).toBeNull()
    stencil.turn()
    stencil.turn()
    expect(choice.staged?.text).toBe('mark o5 a1 b1 a2')
  })

  it('snaps to a place when carried, and lies there when dropped, but is not crossed off by that', () => {
    const { stencil, choice, sent } = made()
    stencil.carry({ card: 'o5', at: [0.9, 1.1] })
    expect(stencil.over?.text).toBe('mark o5 a1 b1 a2')
    stencil.drop()
    stencil.carry({ card: 'o5', at: [0.9, 1.1] })
    stencil.drop()
    expect(choice.staged?.text).toBe('mark o5 a1 b1 a2')
    expect(sent).toEqual([])
    stencil.carry({ card: 'o5', at: [3.9, 3.9] })
    expect(stencil.over).toBeNull()
    expect(choice.staged).toBeNull()
  })

  it('gives way to a single cell, and comes back', () => {
    const { stencil, choice } = made()
    expect(stencil.reaches('o5', 'b2')).toBe(true)
    stencil.other()
    expect(stencil.reaches('o5', 'b2')).toBe(false)
    stencil.tap('o5', 'c1')
    expect(choice.staged?.text).toBe('cross o5 c1')
    stencil.other()
    expect(choice.staged).toBeNull()
    expect(stencil.single).toBe(false)
  })

  it('is a single cell where the shape fits nowhere, and for a cross symbol', () => {
    const { stencil, choice } = made(['bonus o5 a1', 'bonus p8 d4'])
    expect(stencil.single).toBe(true)
    stencil.tap('p8', 'd4')
    expect(choice.staged?.text).toBe('bonus p8 d4')
  })

  it('begins as it fits when it does not fit as it is pictured', () => {
    const { stencil } = made(['mark p8 c3 c4 d4', 'cross p8 d4'])
    expect(stencil.fits.map((place) => place.text)).toEqual(['mark p8 c3 c4 d4'])
  })
})
