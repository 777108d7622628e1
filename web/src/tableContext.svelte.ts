/** What the parts of one table share, live or replayed: the line to it, what the bar shows, which sheet is open. */
import { getContext, setContext, type Snippet } from 'svelte'
import type { LessonLine } from './lesson.svelte'
import type { GameUi, SeatView } from './play'
import type { TablePlay } from './table.svelte'
import type { Live } from './wire/live.svelte'

export type SheetName =
  'aids' | 'reach' | 'menu' | 'log' | 'chat' | 'invite' | 'move' | 'settings' | 'rules' | 'pace' | 'share' | 'steps'

export class TableContext {
  stat = $state.raw<Snippet | null>(null) // what counts, in the bar: a table puts it there with <BarStat>
  statNote = $state('') // what that number means
  asking = $state(false) // the next tap asks what a thing is
  sheet = $state<SheetName | null>(null)
  hinted = $state.raw<{ ask: number; pieces: readonly string[] } | null>(null) // the pieces that a hint is about
  challenging = $state(false) // the sheet to share is opened to let others play the same deal
  place = $state<string | null>(null) // of the sheet with aids: the place that was tapped
  line = $state.raw<Live | null>(null) // a replay has none
  lesson = $state.raw<LessonLine | null>(null) // at a step of a lesson
  nextStep = $state.raw<(() => void) | null>(null) // the way on from it
  play = $state.raw<TablePlay | null>(null)
  ui = $state.raw<GameUi | null>(null)
  seats = $state.raw<SeatView[]>([]) // also before the match begins
}

const KEY = Symbol('table')

/** Provides a context for all parts below. Call it while a page is being created. */
export function provideTableContext(): TableContext {
  return setContext(KEY, new TableContext())
}

/** The context of the table around this part, if there is one. */
export function tableContext(): TableContext | undefined {
  return getContext<TableContext | undefined>(KEY)
}
