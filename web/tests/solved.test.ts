import { beforeEach, describe, expect, it, vi } from 'vitest'

describe('which puzzles were solved', () => {
  beforeEach(() => {
    localStorage.clear()
    vi.resetModules()
  })
  const load = async () => (await import('../src/solved.svelte')).puzzles

  it('asks those that were not tried first, then those that were missed, from where somebody is', async () => {
    const puzzles = await load()
    expect(puzzles.next('silencio', 0, 3)).toBe(1)
    puzzles.decide('silencio', 1, false)
    expect(puzzles.next('silencio', 1, 3)).toBe(2)
    puzzles.decide('silencio', 2, true)
    puzzles.decide('silencio', 3, true)
    expect(puzzles.next('silencio', 3, 3)).toBe(1)
    puzzles.decide('silencio', 1, true)
    expect(puzzles.next('silencio', 1, 3)).toBeNull()
    expect(puzzles.solved('silencio')).toBe(3)
    expect(puzzles.solved('zombie-city')).toBe(0)
  })

  it('stays on the device, and what was solved stays solved', async () => {
    const before = await load()
    before.decide('silencio', 2, true)
    before.decide('silencio', 2, false)
    vi.resetModules()
    expect((await load()).games).toEqual({ silencio: { 2: true } })
  })

  it('begins anew where the device keeps nonsense', async () => {
    localStorage.setItem('tacit-puzzles', '{"silencio": 7, "zombie-city": {"1": true}}')
    expect((await load()).games).toEqual({ 'zombie-city': { 1: true } })
    localStorage.setItem('tacit-puzzles', 'nonsense')
    vi.resetModules()
    expect((await load()).games).toEqual({})
  })
})
