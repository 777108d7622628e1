import { beforeEach, describe, expect, it, vi } from 'vitest'
import { events as silencio } from '../src/games/silencio/events'
import { events as silver } from '../src/games/silver-and-gold/events'
import type { Play } from '../src/play'
import type { Message } from '../src/wire/protocol.gen'

const seat = (n: number): Message => ({ code: 'core.seat', params: { seat: n } })

describe('what travels', () => {
  beforeEach(() => void vi.stubGlobal('matchMedia', () => ({ matches: false }))) // motion is welcome
  it('crosses in an exchange, face down', () => {
    expect(silencio.travels?.({ code: 'silencio.tell.trade', params: { who: seat(1), seat: seat(2) } })).toEqual([
      { from: 'seat:1', to: 'seat:2', face: 'down' },
      { from: 'seat:2', to: 'seat:1', face: 'down' },
    ])
  })
  it('goes from the seat that gives to the one that gets it', () => {
    const give = (key: number, ...before: Message[]) => {
      const log = before.map((message, i) => ({ message, seat: null, key: i }))
      const message = { code: 'silencio.tell.give', params: { who: seat(1) } }
      return silencio.travels?.(message, { message, seat: 1, key }, { log, seats: [0, 1, 2] } as unknown as Play)
    }
    expect(give(0)).toEqual([{ from: 'seat:1', to: 'seat:2', face: 'down' }]) // all pass to the left
    expect(give(1, { code: 'silencio.tell.exchange', params: { who: seat(1) } })).toEqual([
      { from: 'seat:1', to: 'oracle', face: 'down' },
    ])
    expect(give(1, { code: 'silencio.tell.trade', params: { who: seat(0), seat: seat(1) } })).toEqual([
      { from: 'seat:1', to: 'seat:0', face: 'down' },
    ])
  })
  it('comes from the display with its colour, from the deck face down', () => {
    const card = { code: 'silver-and-gold.card', params: { colour: { code: 'silver-and-gold.colour.green' } } }
    expect(silver.travels?.({ code: 'silver-and-gold.tell.take', params: { who: seat(1), card } })).toEqual([
      { from: 'display', to: 'seat:1', face: 'up', art: 'c-g' },
    ])
    expect(silver.travels?.({ code: 'silver-and-gold.tell.take-deck', params: { who: seat(1) } })).toEqual([
      { from: 'deck', to: 'seat:1', face: 'down' },
    ])
  })
})
