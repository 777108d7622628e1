/** The first-match guide: how often each of its notes was read on this device. It falls silent by itself. */
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

/** What just happened is explained once; what can be decided, twice. */
const times = (code: string): number => (code.includes('.guide.told.') ? 1 : 2)

class Guide {
  #done = $state.raw<string[]>(read())

  shows(code: string): boolean {
    return settings.guide === 'on' && this.#done.filter((one) => one === code).length < times(code)
  }

  /** Somebody decided with this note before them. */
  read(code: string): void {
    if (this.shows(code)) this.#keep([...this.#done, code])
  }

  /** It is not needed any more. */
  dismiss(code: string): void {
    this.#keep([...this.#done, ...Array.from({ length: times(code) }, () => code)])
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
