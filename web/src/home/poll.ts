import { untrack } from 'svelte'

/** Does something now, every so often while the page is looked at, and when it is looked at again. For an $effect. */
export function poll(look: () => Promise<void>, every = 15_000): () => void {
  const visible = (): void => {
    if (document.visibilityState === 'visible') void untrack(look) // what it reads must not restart it
  }
  visible()
  const timer = setInterval(visible, every)
  document.addEventListener('visibilitychange', visible)
  addEventListener('online', visible)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', visible)
    removeEventListener('online', visible)
  }
}
