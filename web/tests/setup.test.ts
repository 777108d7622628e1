import { beforeEach, describe, expect, it } from 'vitest'
import type { GameInfo } from '../src/wire/protocol.gen'
import { remember, setupFor } from '../src/setup'

const bot = (name: string) => ({ name, style: '', assumes: '' })
const toy: GameInfo = {
  game: 'toy',
  title: 'Toy',
  rules_version: 1,
  min_seats: 2,
  max_seats: 4,
  options: { tavern: [false, true] },
  silent: true,
  signals: [],
  bots: [bot('steady'), bot('random')],
}

describe('wishes', () => {
  beforeEach(() => localStorage.clear())

  it('begin with three seats, the usual bot, and what is usual', () => {
    expect(setupFor(toy)).toEqual({
      seats: 3,
      chairs: ['', 'steady', 'steady', 'steady'],
      options: { tavern: false },
      visibility: 'private',
      spectators: 'public',
      clock: null,
      aids: 'none',
      atEnd: null,
    })
  })

  it('are remembered for each game', () => {
    remember('toy', { seats: 4, chairs: ['', 'random', '', 'steady'], options: { tavern: true }, clock: 60 })
    expect(setupFor(toy)).toMatchObject({ seats: 4, chairs: ['', 'random', '', 'steady'], clock: 60 })
    expect(setupFor(toy).options).toEqual({ tavern: true })
    expect(setupFor({ ...toy, game: 'other' }).seats).toBe(3)
  })

  it('forget what cannot be had any more', () => {
    remember('toy', { seats: 9, chairs: ['', 'gone'], options: { tavern: 'maybe', old: 1 } })
    expect(setupFor(toy)).toMatchObject({ seats: 4, options: { tavern: false } })
    expect(setupFor(toy).chairs[1]).toBe('steady')
    localStorage.setItem('tacit-wishes', 'nonsense{')
    expect(setupFor(toy).seats).toBe(3)
  })
})
