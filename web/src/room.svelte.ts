/** What the parts of one table share, live or replayed: the line to it, what the bar shows, which sheet is open. */
import { getContext, setContext, type Snippet } from 'svelte'
import type { GameLook, SeatLook } from './play'
import type { TablePlay } from './table.svelte'
import type { Live } from './wire/live.svelte'

export type SheetName = 'menu' | 'log' | 'chat' | 'invite' | 'move' | 'settings' | 'rules'

export class Room {
  stat = $state.raw<Snippet | null>(null) // what counts, in the bar: a table puts it there with <Stat>
  sheet = $state<SheetName | null>(null)
  line = $state.raw<Live | null>(null) // a replay has none
  play = $state.raw<TablePlay | null>(null)
  look = $state.raw<GameLook | null>(null)
  seats = $state.raw<SeatLook[]>([]) // also before the match begins
}

const KEY = Symbol('room')

/** Opens a room for all parts below; to be called while a page is made. */
export function openRoom(): Room {
  return setContext(KEY, new Room())
}

/** The room this part stands in; outside of one there is none. */
export function roomHere(): Room | undefined {
  return getContext<Room | undefined>(KEY)
}
