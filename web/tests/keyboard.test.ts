// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { nearest } from '../src/keyboard'

const at = (name: string, x: number, y: number) => ({ name, x, y })
const grid = [at('a', 0, 0), at('b', 100, 0), at('c', 0, 100), at('d', 100, 100), at('far', 300, 10)]
const go = (from: string, way: [number, number]): string | undefined => {
  const here = grid.find((place) => place.name === from)!
  return nearest(
    here,
    grid.filter((place) => place !== here),
    way,
  )?.name
}

describe('arrows', () => {
  it.each([
    ['a', [1, 0], 'b'],
    ['a', [0, 1], 'c'],
    ['d', [-1, 0], 'c'],
    ['d', [0, -1], 'b'],
    ['b', [1, 0], 'far'],
    ['a', [-1, 0], undefined],
    ['a', [0, -1], undefined],
  ] as [string, [number, number], string | undefined][])('from %s towards %j: %s', (from, way, to) => {
    expect(go(from, way)).toBe(to)
  })
})
