// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { zoomFor } from '../src/fit'
import { layoutFor } from '../src/layout'

describe('the layout of a table', () => {
  it.each([
    [320, 520, 'tiny'],
    [360, 592, 'portrait'],
    [390, 796, 'portrait'],
    [768, 976, 'portrait'],
    [640, 316, 'low'],
    [844, 346, 'low'],
    [1024, 720, 'side'],
    [1280, 662, 'side'],
    [1366, 710, 'side'],
    [1440, 842, 'desktop'],
    [1920, 1022, 'desktop'],
  ])('of %i × %i is %s', (width, height, layout) => {
    expect(layoutFor(width, height)).toBe(layout)
  })
})

describe('shrinking', () => {
  it('does nothing where there is room, and never makes things unreadably small', () => {
    expect([zoomFor(100, 200), zoomFor(201, 200), zoomFor(250, 200), zoomFor(2000, 200)]).toEqual([1, 1, 0.8, 0.5])
  })
})
