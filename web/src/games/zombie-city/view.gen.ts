/* Made by `npm run types` from the server. Do not edit. */
/* eslint-disable */

export interface View {
seats: number
you: (number | null)
expert: boolean
phase: string
due: number[]
active: (number | null)
stage: string
cause: (string | null)
city: City
final: boolean
deck: number
discard: {
[k: string]: number
}
shelters: Shelter[]
hand: OwnCard[]
row: Crowd
targets: number[]
dead: {
[k: string]: number
}
lost: number
turns: number
last_turn: number
pending: Message[]
ask: Message
result: ({
[k: string]: unknown
} | null)
}
export interface City {
cards: number
top: (string | null)
noise: Message
backs: {
[k: string]: number
}
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
export interface Shelter {
seat: number
living: boolean
survivors: number
zombies: Crowd
barriers: string[]
hand: number
answered: boolean
attack: (Attack | null)
}
/**
 * Zombies, by type.
 */
export interface Crowd {
regular: number
fast: number
strong: number
}
/**
 * What the attack on a shelter costs if it comes now: the next one, or the one under way.
 */
export interface Attack {
strikers: number
stopped: number
loss: number
least: number
out: boolean
words: Message[]
}
/**
 * A card in the seat's hand.
 */
export interface OwnCard {
card: string
loud: boolean
effect: Message
playable: boolean
why_not: (Message | null)
noise_alone: boolean
discardable: boolean
}
