/** How long events are shown, and which are shown together. Plain functions; playback.svelte.ts keeps the time. */
import type { LogLine, Play } from './play'
import type { Message } from './wire/protocol.gen'

export const PACES = ['slow', 'normal', 'quick', 'instant', 'step'] as const
export type Pace = (typeof PACES)[number]

/** How much an event matters: 0 is folded into its neighbours, 2 is never folded away nor shortened. */
export type Importance = 0 | 1 | 2

/** A piece on its way. Places are named by `data-place` or `data-piece` of their elements. */
export interface Travel {
  from: string
  to: string
  face: 'up' | 'down' // face down until it is known
  art?: string // a symbol of the game's art that is drawn instead of a card
}

/** What a game's events.ts says of its events. */
export interface GameEvents {
  importance(message: Message): Importance
  travels?(message: Message, line?: LogLine, play?: Play): Travel[] // its line in the log, and the table
}

const LEAST = 1200 // milliseconds that a line stands at normal pace
const LETTER = 60 // milliseconds a letter
const FACTOR: Record<Pace, number> = { slow: 1.8, normal: 1, quick: 0.45, instant: 0, step: Infinity }

/** How long a line of this many letters is shown, in milliseconds. `step`: until the person asks for the next. */
export function standingTime(letters: number, pace: Pace): number {
  return pace === 'instant' ? 0 : Math.max(LEAST, letters * LETTER) * FACTOR[pace]
}

/** Lines that are shown at the same time: one that matters, with the trivial ones around it. */
export interface Beat {
  line: LogLine
  folded: LogLine[] // in their order, before and after it
}

/** One beat for each line that matters. Trivial lines join the one before them, or the first; alone they are one beat. */
export function beatsOf(lines: readonly LogLine[], importance: GameEvents['importance']): Beat[] {
  const beats: Beat[] = []
  let before: LogLine[] = []
  for (const line of lines) {
    if (importance(line.message) > 0) {
      beats.push({ line, folded: before })
      before = []
    } else if (beats.length) beats.at(-1)?.folded.push(line)
    else before.push(line)
  }
  const last = before.at(-1)
  if (last) beats.push({ line: last, folded: before.slice(0, -1) })
  return beats
}
