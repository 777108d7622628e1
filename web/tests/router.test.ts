import { beforeEach, describe, expect, it, vi } from 'vitest'
import { read, router } from '../src/router.svelte'

describe('addresses', () => {
  it.each([
    ['/', { at: 'home' }],
    ['/t/abc', { at: 'table', table: 'abc' }],
    ['/t/a%20b', { at: 'table', table: 'a b' }],
    ['/t', { at: 'notFound' }],
    ['/t/a/b', { at: 'notFound' }],
    ['/new/silencio', { at: 'new', game: 'silencio' }],
    ['/learn/silencio', { at: 'lesson', game: 'silencio' }],
    ['/learn', { at: 'notFound' }],
    ['/puzzles', { at: 'puzzles', game: null }],
    ['/puzzles/silencio', { at: 'puzzles', game: 'silencio' }],
    ['/rules/zombie-city', { at: 'rules', game: 'zombie-city' }],
    ['/review', { at: 'review', table: null }],
    ['/review/abc', { at: 'review', table: 'abc' }],
    ['/replay', { at: 'replay', table: null }],
    ['/replay/abc', { at: 'replay', table: 'abc' }],
    ['/settings', { at: 'settings' }],
    ['/settings/x', { at: 'notFound' }],
    ['/daily', { at: 'daily', day: null }],
    ['/daily/12', { at: 'daily', day: 12 }],
    ['/daily/x', { at: 'notFound' }],
    ['/d/challenge-a', { at: 'deal', deal: 'challenge-a' }],
    ['/d', { at: 'notFound' }],
    ['/m', { at: 'newDuplicate' }],
    ['/m/abc', { at: 'duplicate', duplicate: 'abc' }],
    ['/check', { at: 'check' }],
    ['/check/x', { at: 'notFound' }],
    ['/compare/a/b', { at: 'compare', left: 'a', right: 'b' }],
    ['/compare/a', { at: 'notFound' }],
    ['/compare/a/b/c', { at: 'notFound' }],
    ['/wp-login.php', { at: 'notFound' }],
    ['/t/%E0%A4%A', { at: 'notFound' }],
  ])('%s', (path, page) => {
    expect(read(path)).toEqual(page)
  })
})

describe('going', () => {
  beforeEach(() => {
    vi.stubGlobal('scrollTo', () => {})
    router.tidy('/')
    router.depth = 0
  })

  it('follows links of ours without leaving the page, and leaves others alone', () => {
    document.body.innerHTML =
      '<a id="ours" href="/settings">x</a><a id="api" href="/api/tables/T/record">x</a><a id="far" href="https://example.org/">x</a>'
    const click = (id: string): boolean => {
      const event = new MouseEvent('click', { bubbles: true, cancelable: true })
      // jsdom goes nowhere by itself; what counts is whether the browser would
      return !document.getElementById(id)!.dispatchEvent(event)
    }
    expect(click('ours')).toBe(true)
    expect(router.page).toEqual({ at: 'settings' })
    expect(click('api')).toBe(false)
    expect(click('far')).toBe(false)
    expect(router.page).toEqual({ at: 'settings' })
  })

  it('goes home when there is nothing of ours to go back to', () => {
    router.tidy('/settings')
    router.back()
    expect(router.page).toEqual({ at: 'home' })
  })

  it('keeps no key in the address', () => {
    history.replaceState(null, '', '/t/abc#secret')
    router.tidy(location.pathname)
    expect(location.hash).toBe('')
  })
})
