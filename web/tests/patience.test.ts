// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../src/wire/patience.svelte'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('an answer that does not come', () => {
  it('shows after two seconds, and no more once it is there', () => {
    const done = patience.begin()
    vi.advanceTimersByTime(1999)
    expect(patience.slow).toBe(false)
    vi.advanceTimersByTime(1)
    expect(patience.slow).toBe(true)
    done()
    expect(patience.slow).toBe(false)
  })

  it('shows as long as one of several is missing', () => {
    const [one, two] = [patience.begin(), patience.begin()]
    vi.advanceTimersByTime(2000)
    one()
    one()
    expect(patience.slow).toBe(true)
    two()
    expect(patience.slow).toBe(false)
  })
})
