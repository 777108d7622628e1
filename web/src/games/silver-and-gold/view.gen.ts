/* Made by `npm run types` from the server. Do not edit. */
/* eslint-disable */

export interface View {
seats: number
you: (number | null)
phase: string
due: number[]
round: number
turn: number
rounds: number
turns: number
starter: (number | null)
active: (number | null)
shape: (Shape | null)
display: Island[]
deck: number
palm_worth: number
trophies: number[]
table: Seat[]
hand: Island[]
kept: string[]
bonus: number
takes: number
brings: Message[]
pending: Message[]
ask: Message
result: ({
[k: string]: unknown
} | null)
}
export interface Shape {
name: string
words: Message
rows: string[]
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
 * A treasure card.
 */
export interface Island {
card: string
colour: string
value: number
seal: (Seal | null)
rows: string[]
}
export interface Seal {
colour: string
points: number
}
/**
 * A seat's place: your own with what you crossed off in this turn, another's as it lies open.
 */
export interface Seat {
seat: number
starts: boolean
done: boolean
cards: Held[]
coins: number
to_trophy: (number | null)
trophies: number[]
palms: number[]
completed: Island[]
points: Points
}
/**
 * A card before a seat, as far as it is crossed off.
 */
export interface Held {
island: Island
slot: number
crossed: string[]
fresh: string[]
left: number
places: number
why_not: (Message | null)
}
export interface Points {
coins: number
trophies: number
palms: number
cards: number
seals: number
total: number
}
