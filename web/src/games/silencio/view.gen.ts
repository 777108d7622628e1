/* Made by `npm run types` from the server. Do not edit. */
/* eslint-disable */

export interface View {
seats: number
you: (number | null)
top: number
phase: string
due: number[]
active: (number | null)
starter: (number | null)
decider: (number | null)
effect: (string | null)
rows: Row[]
large_lit: boolean
oracle: string[]
deck: number
gone: string[]
drawn: (string | null)
table: Seat[]
hand: OwnCard[]
pending: Waiting[]
passes: number
tavern: (Tavern | null)
ask: Message
result: ({
[k: string]: unknown
} | null)
}
export interface Row {
colour: string
lit: boolean
cards: RowCard[]
ahead: Stone[]
}
export interface RowCard {
card: string
dark: boolean
}
/**
 * A card that could still come into a row, and where it is as far as the seat knows.
 */
export interface Stone {
card: string
place: string
}
export interface Seat {
seat: number
hidden: number
up: OwnCard[]
known: string[]
}
/**
 * A card that the seat could play or holds.
 */
export interface OwnCard {
card: string
playable: boolean
lands: (string | null)
effect: (Message | null)
why_not: (Message | null)
known_by: number[]
public: boolean
}
/**
 * A sentence before it has a language: `Message("silencio.refuse.rank", {"card": …})`.
 * 
 *     Examples:
 *         >>> render(Message("core.seat", {"seat": 2}), names=["Ada", "Ben", "Cleo"])
 *         'Cleo'
 */
export interface Message {
code: string
params?: {
[k: string]: unknown
}
}
/**
 * An effect that waits for the next card.
 */
export interface Waiting {
name: string
colour: string
shade: string
what: Message
why: Message
}
export interface Tavern {
open: boolean
darks: number
said: (Message | null)
}
