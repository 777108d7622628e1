/** The tables of this device: where somebody here sits or sat. They stay on the device. */
import type { Table } from './wire/protocol.gen'

export interface SavedTable {
  table: string
  game: string
  key: string | null // opens the seat on another device
  at: number // when it was last looked at, in milliseconds
  phase: Table['phase']
  names: string[] // of the others
  seat: number | null // which is ours, where that is known
  result: Table['result'] | null // once it is over
  after: string | null // the table whose rematch this is
}

const KEY = 'tacit-tables'
const MOST = 40

function read(): SavedTable[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(found)) return []
    return (found as Partial<SavedTable>[])
      .filter((one) => typeof one?.table === 'string' && typeof one.game === 'string')
      .map(
        (one) =>
          ({
            key: null,
            at: 0,
            phase: 'playing',
            names: [],
            seat: null,
            result: null,
            after: null,
            ...one,
          }) as SavedTable,
      )
  } catch {
    return [] // a browser that keeps nothing, or nonsense
  }
}

class SavedTables {
  list = $state.raw<SavedTable[]>(read())

  constructor() {
    addEventListener('storage', (event) => {
      if (event.key === KEY) this.list = read() // another tab sat down somewhere
    })
  }

  #write(list: SavedTable[]): void {
    const recent = list.sort((a, b) => b.at - a.at)
    let over = 0 // finished ones are forgotten some day; one that runs stays until it is over
    this.list = recent.filter((one) => one.phase === 'playing' || ++over <= MOST)
    try {
      localStorage.setItem(KEY, JSON.stringify(this.list))
    } catch {
      // a browser that keeps nothing: it holds until the page is closed
    }
  }

  find(table: string): SavedTable | undefined {
    return this.list.find((one) => one.table === table)
  }

  /** Somebody here got a seat. */
  sit(table: string, game: string, key: string | null, after: string | null = null): void {
    const before = this.find(table)
    const first = { phase: 'gathering' as const, names: [], seat: null, result: null, after: null }
    const now = { ...first, ...before, table, game, at: Date.now(), after: after ?? before?.after ?? null }
    this.#write([{ ...now, key: key ?? before?.key ?? null }, ...this.list.filter((one) => one.table !== table)])
  }

  /** What a table says of itself now. */
  note(info: Table, you: number | null): void {
    const before = this.find(info.table)
    if (!before) return
    const others = info.seats.flatMap((seat, i) =>
      i !== you && seat.kind === 'person' && seat.name ? [seat.name] : [],
    )
    const names = you === null ? before.names : others // without a seat known, all of them may be oneself
    const seat = you ?? before.seat
    if (before.phase === info.phase && before.names.join() === names.join() && before.seat === seat) return
    const ended = (info.result ?? null) as Record<string, unknown> | null
    // What a bot finished for somebody is not their win: then the list only says that it is over.
    const byBot = seat !== null && info.seats[seat]?.played?.at(-1)?.kind === 'bot'
    const result = byBot && ended && 'winners' in ended ? null : ended
    const now = { ...before, phase: info.phase, names, seat, result, at: Date.now() }
    this.#write([now, ...this.list.filter((one) => one.table !== info.table)])
  }

  forget(table: string): void {
    this.#write(this.list.filter((one) => one.table !== table))
  }
}

export const savedTables = new SavedTables()
