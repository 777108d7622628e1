import { describe, expect, it } from 'vitest'
import { svgOf } from '../src/deals/picture'
import { chartRows, dotsOf, scoreMessage, shareOf } from '../src/deals/results'

const none = { mine: null, bots: null, best: null }

describe('a score in words', () => {
  it.each([
    [{ left: 4 }, -2, 'server.share.left', { n: 2 }],
    [{ teams: 1, needed: 3 }, 2, 'server.share.teams', { n: 2, needed: 3 }],
    [{ survivors: [4, 1] }, 4, 'server.share.survivors', { n: 4 }],
    [{ points: [31, 20] }, 31, 'server.share.points', { n: 31 }],
    [null, 7, 'server.share.points', { n: 7 }],
  ])('%j', (sample, score, code, params) => {
    expect(scoreMessage(sample, score)).toEqual({ code, params })
  })
})

describe('the distribution', () => {
  it('has the best first, and marks that nobody reached', () => {
    const rows = chartRows(
      [
        { score: -2, count: 3 },
        { score: -5, count: 1 },
      ],
      { mine: -5, bots: -7, best: 0 },
    )
    expect(rows.map((row) => [row.high, row.count])).toEqual([
      [0, 0],
      [-2, 3],
      [-5, 1],
      [-7, 0],
    ])
    expect(rows.map((row) => [row.best, row.mine, row.bots].indexOf(true))).toEqual([0, -1, 1, 2])
  })

  it('puts many scores together and loses none', () => {
    const distribution = Array.from({ length: 40 }, (_, i) => ({ score: 30 + 2 * i, count: i + 1 }))
    const rows = chartRows(distribution, { ...none, mine: 30 })
    expect(rows.length).toBeLessThanOrEqual(12)
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe((40 * 41) / 2)
    expect(rows[0]?.high).toBe(108)
    expect(rows.at(-1)?.low).toBe(30)
    expect(rows.at(-1)?.mine).toBe(true)
    rows.slice(1).forEach((row, i) => expect(row.high).toBeLessThan(rows[i]?.low ?? 0))
  })

  it('is empty on the first day', () => {
    expect(chartRows([], none)).toEqual([])
  })

  it('becomes four dots, as the server writes them', () => {
    const bars = [
      { score: 3, count: 4 },
      { score: 1, count: 6 },
    ]
    expect(dotsOf(shareOf(bars, 1))).toBe('●●◐○')
    expect(dotsOf(shareOf(bars, 3))).toBe('●●●●')
    expect(dotsOf(shareOf([], 3))).toBe('○○○○')
  })
})

describe('the picture', () => {
  const mood = { ground: '#fff', ink: '#000', ink2: '#444' }
  const picture = { title: 'tacit', game: 'A & B', result: '<2>', place: '', dots: '●◐○', poster: '', mood }

  it('escapes what people wrote, and draws a circle for each dot', () => {
    const svg = new DOMParser().parseFromString(svgOf(picture, ''), 'image/svg+xml')
    expect([...svg.querySelectorAll('text')].map((text) => text.textContent)).toEqual(['tacit', 'A & B', '<2>'])
    expect(svg.querySelectorAll('circle').length).toBe(3)
    expect(svg.querySelector('image')).toBeNull()
  })
})
