/* Made by `npm run types` from the server. Do not edit. */
/* eslint-disable */

export interface View {
seats: number
you: (number | null)
phase: string
due: number[]
ask: Message
outlook: (Message | null)
happened: (Message | null)
turn: (number | null)
first: (number | null)
round: (number | null)
rounds: number
pointing: Pointer[]
settled: Pointer[]
rows: Row[]
arranging: (Arranging | null)
team: TeamCard[]
team_kind: string
team_size: number
fits: Fit[]
past: PastTeam[]
teams: number
needed: number
spare: (number | null)
spare_words: (Message | null)
out: number
signals: Given[]
signals_left: number
signal_limit: number
why_no_signal: (Message | null)
result: ({
[k: string]: unknown
} | null)
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
 * What one decider does.
 */
export interface Pointer {
seat: number
position: (number | null)
now: boolean
}
export interface Row {
seat: number
ready: boolean
turn: boolean
down: number
places: Place[]
}
/**
 * One place of a row; its number stays, also when the card is gone.
 */
export interface Place {
position: number
state: string
card: (string | null)
pointers: number[]
faded: number[]
can_point: boolean
then: (Message | null)
why_not: (Message | null)
}
/**
 * Your row while you make it.
 */
export interface Arranging {
hand: string[]
placed: string[]
hints: number[]
can_reveal: number[]
spare: number
cost: Message
}
export interface TeamCard {
card: string
seat: number
position: number
}
/**
 * What a card of a kind would do to the team.
 */
export interface Fit {
card: string
fits: boolean
why_not: (Message | null)
unseen: number
}
export interface PastTeam {
complete: boolean
kind: string
cards: TeamCard[]
}
export interface Given {
seat: number
signal: string
words: Message
}
