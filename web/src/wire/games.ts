/** What the server plays, asked once. */
import { api } from './api'
import type { GameInfo } from './protocol.gen'

let asked: Promise<GameInfo[]> | null = null

export function games(): Promise<GameInfo[]> {
  asked ??= api.games().then(
    (found) => found.games,
    (error: unknown) => {
      asked = null // a server that was away may be back
      throw error
    },
  )
  return asked
}

export async function gameNamed(game: string): Promise<GameInfo | null> {
  return (await games()).find((one) => one.game === game) ?? null
}
