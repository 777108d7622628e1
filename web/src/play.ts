/** What a game's table gets to draw: the same for a live table and for a replay. */
import type { Component } from 'svelte'
import type { Choice, Offer, Ways } from './choice.svelte'
import type { Names } from './i18n/messages'
import type { Beat, GameEvents } from './playback'
import type { Message } from './wire/protocol.gen'

/** What the views of all games share. */
export interface AnyView {
  seats: number
  you: number | null
  phase: string
  due: number[]
  ask: Message
  result: Record<string, unknown> | null
}

export interface SeatView {
  seat: number
  name: string
  kind: 'person' | 'bot' | 'open'
  bot: string | null // which bot sits here, or sits in
  you: boolean
  due: boolean
  presence: 'here' | 'away' | 'left'
  by: string | null // who plays there now in the person's place: a bot's title, "program"
  note: string // who decided for this seat, as a sentence; empty until the match is over
}

export interface LogLine {
  message: Message
  seat: number | null // who did it; null: chance, or the table
  key: number
}

export interface Play<V extends AnyView = AnyView> {
  readonly game: string
  readonly view: V
  readonly you: number | null // the viewing seat; null: a spectator
  readonly seats: SeatView[]
  readonly names: string[] & Names
  readonly choice: Choice
  readonly log: LogLine[] // oldest first
  readonly open: V[] | null // a replay with open hands: each seat's own view
  readonly live: boolean // false in a replay: nothing can be decided
  readonly signals: Offer[] // what you may signal now
  readonly beat: Beat | null // the event being shown now
  readonly marks: ReadonlyMap<number, LogLine> // the last move of each other seat, until your turn ends
  signal(text: string): Promise<boolean>
}

/** A turning point: an icon of parts/icons.svg (or of the game's art), and whether it is good news. */
export interface Moment {
  icon: string
  mood: 'good' | 'bad' | 'plain'
}

/** What to try next, after a match: a rematch with some options changed. */
export interface Suggestion {
  options: Record<string, boolean | number | string>
  why: string // codes of a catalogue: a sentence, and the words of the button
  label: string
}

/** What a game brings along for the page. Its folder's ui.ts exports it. */
export interface GameUi {
  table: Component<{ play: Play }>
  mark: Component<{ message: Message; text: string }> | null // how the log draws the things that sentences name
  art?: string // the symbols that `mark` draws with, where no table does: a file's text
  paths: Ways
  moment?: (message: Message) => Moment | null // which sentences are turning points, for the replay's scrubber
  events?: GameEvents // how much its events matter and what travels (events.ts); without it all matter alike
  heads?: (message: Message) => boolean // sentences that stand as headings in the log
  shows?: (text: string) => readonly string[] // the pieces that show a decision; without it, those that are tapped for it
  card?: (name: string) => Message // a card, as records name it, for sentences: what can lie in a hidden place
  explain?: (piece: string, play: Play) => readonly (Message | string)[] // what a piece is and does; see docs/web.md
  suggest?: (result: Record<string, unknown>, options: Suggestion['options'], you: number | null) => Suggestion | null
}
