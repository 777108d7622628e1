/** How far somebody got in the lessons, on this device. */
const KEY = 'tacit-lessons'

export interface Learnt {
  at: number // the step to go on with, counted from 1
  of: number // how many steps the lesson has
  done: boolean // it was finished once
}

function read(): Record<string, Learnt> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (typeof found !== 'object' || found === null) return {}
    const valid = (one: unknown): one is Learnt => Number.isInteger((one as Partial<Learnt> | null)?.at)
    return Object.fromEntries(Object.entries(found).filter(([, one]) => valid(one))) as Record<string, Learnt>
  } catch {
    return {} // a browser that keeps nothing, or nonsense
  }
}

class Lessons {
  games = $state.raw<Record<string, Learnt>>(read())

  /** Somebody is at a step; beyond the last one the lesson is done and begins anew. */
  reach(game: string, at: number, of: number): void {
    const done = at > of || (this.games[game]?.done ?? false)
    this.games = { ...this.games, [game]: { at: at > of ? 1 : at, of, done } }
    try {
      localStorage.setItem(KEY, JSON.stringify(this.games))
    } catch {
      // a browser that keeps nothing: it holds until the page is closed
    }
  }

  /** Whether a lesson was begun and not finished. */
  begun(game: string): boolean {
    const one = this.games[game]
    return one !== undefined && !one.done && one.at > 1
  }
}

export const lessons = new Lessons()
