/** Which puzzles somebody has solved or missed, on this device. */
const KEY = 'tacit-puzzles'

type Results = Record<string, boolean> // by number: whether the best decision was found

function read(): Record<string, Results> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (typeof found !== 'object' || found === null) return {}
    const valid = (one: unknown): one is Results => typeof one === 'object' && one !== null && !Array.isArray(one)
    return Object.fromEntries(Object.entries(found).filter(([, one]) => valid(one))) as Record<string, Results>
  } catch {
    return {} // a browser that keeps nothing, or nonsense
  }
}

class Puzzles {
  games = $state.raw<Record<string, Results>>(read())

  /** Somebody decided at a puzzle; what was solved once stays so. */
  decide(game: string, number: number, right: boolean): void {
    const results = this.games[game] ?? {}
    this.#keep({ ...this.games, [game]: { ...results, [number]: right || results[number] === true } })
  }

  /** How many puzzles of a game are solved. */
  solved(game: string): number {
    return Object.values(this.games[game] ?? {}).filter(Boolean).length
  }

  /** The first puzzle after `from` that was not tried, else the first that was not solved; null if all were. */
  next(game: string, from: number, of: number): number | null {
    const results = this.games[game] ?? {}
    const round = Array.from({ length: of }, (_, i) => ((from + i) % of) + 1)
    return round.find((n) => results[n] === undefined) ?? round.find((n) => !results[n]) ?? null
  }

  #keep(games: Record<string, Results>): void {
    this.games = games
    try {
      localStorage.setItem(KEY, JSON.stringify(games))
    } catch {
      // a browser that keeps nothing: it holds until the page is closed
    }
  }
}

export const puzzles = new Puzzles()
