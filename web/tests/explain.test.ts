import { beforeAll, describe, expect, it } from 'vitest'
import { Choice } from '../src/choice.svelte'
import { explained, explanationOf } from '../src/explain'
import { words } from '../src/i18n/language.svelte'
import type { GameUi, Play } from '../src/play'

function page(html: string): HTMLElement {
  document.body.innerHTML = `<main>${html}</main>`
  return document.querySelector<HTMLElement>('#at')!
}

function playOf(texts: string[], due: number[] = [0]): Play {
  const choice = new Choice()
  const offers = texts.map((text) => ({ code: 'web.raw', params: { text } }))
  choice.offer(texts, offers, (text) => text.split(' '), '1')
  const view = { due, ask: { code: 'web.raw', params: { text: 'Play a card.' } }, result: null }
  return { live: true, you: 0, names: ['Ada', 'Bo'], choice, view } as unknown as Play
}

beforeAll(() => words.need('web'))

describe('what is found under a finger', () => {
  it.each([
    ['<button data-piece="card:r5" aria-label="red 5" data-hit><i id="at">5</i></button>'],
    ['<button data-piece="card:r5" aria-label="red 5"><i data-explain="known to Bo" data-hit id="at"></i></button>'],
    ['<li data-hit><span class="sr">fits</span><i id="at">x</i></li>'],
    ['<section aria-label="Team" data-hit><p id="at">3</p></section>'],
  ])('%s', (html) => {
    expect(explained(page(html))?.hasAttribute('data-hit')).toBe(true)
  })

  it('is nothing on plain text, and not the whole region around it', () => {
    expect(explained(page('<div role="region" aria-label="Log"><p id="at">3</p></div>'))).toBeNull()
  })
})

describe('what is said', () => {
  const card = (extra = '') => page(`<button id="at" data-piece="card:r5" aria-label="red 5" ${extra}></button>`)

  it('is the name, and that it can be tapped', () => {
    const found = explanationOf(card(), playOf(['card:r5 row:red']), null)
    expect(found).toEqual({ what: 'red 5', more: ['You can tap it now.'] })
  })

  it('is the reason the game gives, before any general one', () => {
    const found = explanationOf(card('data-why="The red row already ends with 7."'), playOf(['card:r9 x']), null)
    expect(found?.more).toEqual(['The red row already ends with 7.'])
  })

  it('is what is asked instead, or for whom the table waits', () => {
    expect(explanationOf(card(), playOf(['card:r9 x']), null)?.more).toEqual([
      'Not now. What is asked of you: Play a card.',
    ])
    expect(explanationOf(card(), playOf([], [1]), null)?.more).toEqual(['Not now. The table waits for Bo.'])
  })

  it('includes what the game knows of a piece', () => {
    const ui = { explain: (piece: string) => [`${piece} is a card.`] } as unknown as GameUi
    expect(explanationOf(card(), playOf(['card:r5 x']), ui)?.more[0]).toBe('card:r5 is a card.')
  })
})
