/** How the matches of this device stand: asked of the server for those that may still move. */
import { savedTables, type SavedTable } from '../savedTables.svelte'
import type { AnyView } from '../play'
import { botName } from '../table.svelte'
import { api, Refusal } from '../wire/api'
import type { Table } from '../wire/protocol.gen'
import { words } from '../i18n/language.svelte'

export interface Standing {
  phase: Table['phase'] | 'gone'
  turn: string | null // what is asked of us, in words; null: nothing
  waiting: string[] // for whom the table waits
}

const LIVELY = 12 // tables whose turn is asked for

export class Standings {
  standing = $state.raw<Record<string, Standing>>({})

  look = async (): Promise<void> => {
    const running = savedTables.list.filter((one) => this.standing[one.table]?.phase !== 'gone' && one.phase !== 'over')
    await Promise.all(running.slice(0, LIVELY).map((one) => this.#ask(one)))
  }

  async #ask(one: SavedTable): Promise<void> {
    try {
      const table = await api.table(one.table)
      const names = table.seats.map((seat, i) => seat.name ?? botName(i))
      let standing: Standing = { phase: table.phase, turn: null, waiting: [] }
      let you: number | null = null
      if (table.phase === 'playing') {
        const seen = await api.seen(one.table)
        const view = seen.view as AnyView
        you = seen.seat
        await words.need(one.game)
        standing = {
          phase: 'playing',
          turn: seen.ask === null ? null : words.say(view.ask, names),
          waiting: view.due.filter((seat) => seat !== you).map((seat) => names[seat] ?? ''),
        }
      }
      savedTables.note(table, you)
      this.#set(one.table, standing)
    } catch (error) {
      if (error instanceof Refusal && (error.status === 404 || error.status === 403))
        this.#set(one.table, { phase: 'gone', turn: null, waiting: [] })
    }
  }

  #set(table: string, standing: Standing): void {
    this.standing = { ...this.standing, [table]: standing }
  }
}
