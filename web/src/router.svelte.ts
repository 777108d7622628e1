/** Which page is shown. Links are ordinary links; the server gives the same page for each of them. */
export type Page =
  | { at: 'home' }
  | { at: 'new'; game: string }
  | { at: 'table'; table: string }
  | { at: 'replay'; table: string | null }
  | { at: 'review'; table: string | null }
  | { at: 'room'; table: string }
  | { at: 'rules'; game: string | null }
  | { at: 'lesson'; game: string }
  | { at: 'puzzles'; game: string | null }
  | { at: 'settings' }
  | { at: 'daily'; day: number | null }
  | { at: 'deal'; deal: string }
  | { at: 'compare'; left: string; right: string }
  | { at: 'newDuplicate' }
  | { at: 'duplicate'; duplicate: string }
  | { at: 'check' }
  | { at: 'you' }
  | { at: 'notFound' }

export function read(path: string): Page {
  let parts: string[]
  try {
    parts = path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return { at: 'notFound' } // an address that is no text
  }
  const [first, second, third, ...rest] = parts
  if (first === 'compare' && second && third && !rest.length) return { at: 'compare', left: second, right: third }
  if (third !== undefined) return { at: 'notFound' }
  if (!first) return { at: 'home' }
  if (first === 't' && second) return { at: 'table', table: second }
  if (first === 'new' && second) return { at: 'new', game: second }
  if (first === 'learn' && second) return { at: 'lesson', game: second }
  if (first === 'puzzles') return { at: 'puzzles', game: second || null }
  if (first === 'rules') return { at: 'rules', game: second || null }
  if (first === 'room' && second) return { at: 'room', table: second }
  if (first === 'replay') return { at: 'replay', table: second || null }
  if (first === 'review') return { at: 'review', table: second || null }
  if (first === 'd' && second) return { at: 'deal', deal: second }
  if (first === 'm' && second) return { at: 'duplicate', duplicate: second }
  if (first === 'daily' && /^[1-9]\d{0,5}$/.test(second ?? '')) return { at: 'daily', day: Number(second) }
  if (second !== undefined) return { at: 'notFound' }
  if (first === 'daily') return { at: 'daily', day: null }
  if (first === 'm') return { at: 'newDuplicate' }
  if (first === 'check') return { at: 'check' }
  if (first === 'you') return { at: 'you' }
  if (first === 'settings') return { at: 'settings' }
  return { at: 'notFound' }
}

class Router {
  path = $state(location.pathname)
  page = $derived<Page>(read(this.path))
  depth = 0 // pages of ours behind this one

  constructor() {
    addEventListener('popstate', () => {
      this.depth = Math.max(0, this.depth - 1)
      this.path = location.pathname
    })
    document.addEventListener('click', (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
      const link = (event.target as Element).closest('a')
      if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
      if (link.pathname.startsWith('/api/')) return
      event.preventDefault()
      this.go(link.pathname + link.search + link.hash)
    })
  }

  go(to: string): void {
    history.pushState(null, '', to)
    this.depth++
    this.path = location.pathname
    scrollTo(0, 0)
  }

  /** Change the address without a new page: the key behind # must not stay in it. */
  tidy(to: string): void {
    history.replaceState(null, '', to)
    this.path = location.pathname
  }

  back(): void {
    if (this.depth > 0) history.back()
    else this.go('/')
  }
}

export const router = new Router()
