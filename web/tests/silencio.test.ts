import { describe, expect, it } from 'vitest'
import { Choice } from '../src/choice.svelte'
import ui from '../src/games/silencio/ui'
import { around, cardMessage, colourOf, inLine, paths } from '../src/games/silencio/paths'
import { suggest } from '../src/games/silencio/suggest'
import type { SeatView } from '../src/play'
import de from '../src/games/silencio/de.json'
import en from '../src/games/silencio/en.json'
import nl from '../src/games/silencio/nl.json'

describe('paths', () => {
  it('touches the card that a decision is about, wherever it lies', () => {
    for (const verb of ['play', 'give', 'take', 'show', 'exchange']) expect(paths(`${verb} r12`)).toEqual(['card:r12'])
  })
  it('sends an Oracle card by tapping it, then the seat', () => {
    expect(paths('send b6 2')).toEqual(['card:b6', 'seat:2'])
  })
  it('chooses and trades by tapping a seat', () => {
    expect(paths('choose 0')).toEqual(['seat:0'])
    expect(paths('trade 3')).toEqual(['seat:3'])
  })
  it('takes a small shrine in one tap and the large one with its effect', () => {
    expect(paths('shrine green')).toEqual(['shrine:green'])
    expect(paths('shrine large green')).toEqual(['shrine:large', 'effect:green'])
  })
  it('says things at the tavern', () => {
    expect(paths('say stuck')).toEqual(['tavern', 'say:stuck'])
    expect(paths('say high red')).toEqual(['tavern', 'say:high', 'colour:red'])
  })
  it('leaves the rest to buttons', () => {
    for (const text of ['claim', 'pass', 'use', 'skip', 'end']) expect(paths(text)).toEqual([])
    expect(paths('draw')).toEqual(['draw'])
    expect(paths('renew')).toEqual(['renew'])
  })
})

/** Every decision must be reachable by taps alone, and staged by exactly its own path. */
describe('narrowing', () => {
  const turn = [
    ...['play r5', 'play g9', 'shrine red', 'shrine large red', 'shrine large blue'],
    ...['say stuck', 'say high red', 'say avoid red', 'say avoid blue'],
  ]
  const send = ['send b6 1', 'send b6 2', 'send y3 1', 'send y3 2']
  const exchange = ['exchange b6', 'exchange y3', 'trade 1', 'trade 2', 'renew']
  for (const texts of [turn, send, exchange]) {
    it(`leads to each of ${texts.length}`, () => {
      for (const text of texts) {
        const choice = new Choice()
        choice.offer(texts, [], ui.paths, '1')
        for (const piece of paths(text)) expect(choice.tap(piece)).toBe(true)
        expect(choice.staged?.text).toBe(text)
      }
    })
  }
})

describe('the table', () => {
  const seats = [0, 1, 2, 3].map((seat) => ({ seat }) as SeatView)
  it('puts the left neighbour first and goes round', () => {
    expect(around(seats, 2).map((one) => one.seat)).toEqual([3, 0, 1])
    expect(around(seats, null)).toHaveLength(4)
  })
  it('breaks a hand where cards would become too narrow to tap', () => {
    expect(inLine(6, 370, 44, 9)).toBe(6)
    expect(inLine(7, 340, 44, 5)).toBe(7)
    expect(inLine(9, 340, 44, 5)).toBe(7)
    expect(inLine(0, 340, 44, 9)).toBe(1)
    expect(inLine(5, 0, 44, 9)).toBe(5)
  })
  it('names cards by colour and rank', () => {
    expect(colourOf('y13')).toBe('yellow')
    expect(cardMessage('b10')).toEqual({
      code: 'silencio.card',
      params: { colour: { code: 'silencio.colour.blue' }, rank: '10' },
    })
  })
})

describe('words', () => {
  const shape = (words: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(words).map(([code, text]) => [
        code,
        [...new Set(JSON.stringify(text).match(/\{\w+\}/g) ?? [])].filter((name) => name !== '{n}').sort(),
      ]),
    )
  it('say the same in every language', () => {
    expect(shape(de)).toEqual(shape(en))
    expect(shape(nl)).toEqual(shape(en))
  })
  it('guide through every decision', () => {
    const phases = ['claim', 'passing', 'turn', 'choose', 'light', 'send', 'exchange', 'trade', 'return', 'lay', 'end']
    for (const phase of phases) expect(en).toHaveProperty([`guide.${phase}`])
  })
})

describe('what to play next', () => {
  const after = (verdict: string, options: Record<string, boolean | string>) => suggest({ verdict }, options)

  it('is one step harder after a perfect match', () => {
    expect(after('perfect', { tavern: false, unlit: 'none' })?.options).toEqual({ unlit: 'large' })
    expect(after('perfect', { tavern: false, unlit: 'large' })?.options).toEqual({ unlit: 'small' })
    expect(after('perfect', { tavern: false, unlit: 'small' })?.options).toEqual({ unlit: 'all' })
    expect(after('perfect', { tavern: true, unlit: 'all' })?.options).toEqual({ tavern: false })
    expect(after('perfect', { tavern: false, unlit: 'all' })).toBeNull()
  })

  it('is one step easier after one far off: first the tavern', () => {
    expect(after('far', { tavern: false, unlit: 'all' })?.options).toEqual({ tavern: true })
    expect(after('far', { tavern: true, unlit: 'all' })?.options).toEqual({ unlit: 'small' })
    expect(after('far', { tavern: true, unlit: 'large' })?.options).toEqual({ unlit: 'none' })
    expect(after('far', { tavern: true, unlit: 'none' })).toBeNull()
  })

  it('is nothing else where it was so near', () => {
    expect(after('near', { tavern: false, unlit: 'none' })).toBeNull()
  })

  it('has its words in every language', () => {
    for (const known of [en, de, nl] as Record<string, unknown>[])
      for (const verdict of ['perfect', 'far'])
        for (const tavern of [false, true])
          for (const unlit of ['none', 'large', 'small', 'all']) {
            const idea = after(verdict, { tavern, unlit })
            for (const code of idea ? [idea.why, idea.label] : [])
              expect(known[code.replace('silencio-table.', '')], code).toBeTruthy()
          }
  })
})
