/** The first-match guide: which of its notes were read on this device. */
import { settings } from './settings.svelte'

const KEY = 'tacit-guide'

function read(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

class Guide {
  #done = $state.raw<string[]>(read())

  shows(code: string): boolean {
    return settings.guide === 'on' && !this.#done.includes(code)
  }

  dismiss(code: string): void {
    this.#keep([...this.#done, code])
  }

  /** On from the beginning, or off. */
  turn(guide: 'on' | 'off'): void {
    settings.choose({ guide })
    if (guide === 'on') this.#keep([])
  }

  #keep(done: string[]): void {
    this.#done = done
    try {
      localStorage.setItem(KEY, JSON.stringify(done))
    } catch {
      // a browser that keeps nothing
    }
  }
}

export const guide = new Guide()
