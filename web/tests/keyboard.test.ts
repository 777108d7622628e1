import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KeyboardNavigation, nearest } from '../src/keyboard'

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

describe('a question that comes while the focus is on the board', () => {
  let navigation: KeyboardNavigation
  const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!
  const press = (key: string): boolean =>
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))

  beforeEach(() => {
    vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList) // jsdom draws nothing
    Element.prototype.scrollIntoView = () => undefined
    document.body.innerHTML = `<main><div data-ask="1"><button data-piece="shelter" class="can"></button>
      <div data-region="own"><button data-piece="card"></button></div></div></main>`
    navigation = new KeyboardNavigation(find('main'), () => null)
    press('Tab')
    find('[data-piece=shelter]').focus()
    find('[data-piece=card]').classList.add('can')
    find('[data-ask]').dataset.ask = '2'
  })
  afterEach(() => {
    navigation.close()
    vi.restoreAllMocks()
  })

  it('begins in the hand, even where no piece comes or goes', async () => {
    await vi.waitFor(() => expect(document.activeElement).toBe(find('[data-piece=card]')), 30_000)
  }, 40_000)

  it.each(['ArrowUp', 'ArrowRight'])('begins in the hand by %s too, at once', (key) => {
    press(key)
    expect(document.activeElement).toBe(find('[data-piece=card]'))
  })
})
