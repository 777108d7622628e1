/** The server's HTTP side. A refusal is thrown as the message that it is. */
import type { Chair, Create, Entered, Games, Join, Lobby, Message, Refused, Seen, Table } from './protocol.gen'
import { PROTOCOL } from './protocol.gen'
import { patience } from './patience.svelte'

export class Refusal extends Error {
  constructor(
    readonly reason: Message,
    readonly status: number,
    sentence: string,
  ) {
    super(sentence)
  }
}

export async function call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  let answer: Response
  const done = patience.begin()
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers: {
        'Tacit-Protocol': String(PROTOCOL),
        'Tacit-Refusals': '200', // a refusal is no error: the console stays empty
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Refusal({ code: 'web.unreachable' }, 0, 'unreachable')
  } finally {
    done()
  }
  const status = Number(answer.headers.get('Tacit-Status') ?? answer.status)
  if (status === 426) location.reload()
  const found: unknown = await answer.json().catch(() => null)
  if (status < 400) return found as T
  const refused = found as Partial<Refused> | null
  throw new Refusal(refused?.reason ?? { code: 'web.unreachable' }, status, refused?.sentence ?? '')
}

const at = (table: string, command = ''): string => `tables/${encodeURIComponent(table)}${command && `/${command}`}`

export const api = {
  games: () => call<Games>('GET', 'games'),
  lobby: () => call<Lobby>('GET', 'lobby'),
  table: (table: string) => call<Table>('GET', at(table)),
  seen: (table: string) => call<Seen>('GET', at(table, 'seen')),
  create: (wish: Create) => call<Entered>('POST', 'tables', { ...wish, kind: 'person' }),
  join: (table: string, wish: Join) => call<Entered>('POST', at(table, 'join'), { ...wish, kind: 'person' }),
  enter: (table: string, key: string) => call<Entered>('POST', at(table, 'enter'), { key }),
  follow: (table: string) => call<Entered>('POST', at(table, 'follow'), {}),
  start: (table: string, fill: string | null) => call<unknown>('POST', at(table, 'start'), { fill }),
  arrange: (table: string, seat: number, chair: Chair) => call<unknown>('POST', at(table, 'arrange'), { seat, chair }),
}
