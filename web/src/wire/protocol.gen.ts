/* Made by `npm run types` from the server. Do not edit. */
/* eslint-disable */

export const PROTOCOL = 1

export interface Wire {
command: (Hello | Act | Decline | Preview | Signal | Claim | Arrange | Remove | Start | Leave | Return | SitIn | Chat | Mute | Rematch | Follow)
event: (Welcome | Reload | Table | Seen | Previewed | Done | Refused | Said | Removed)
Join: Join
Entered: Entered
Create: Create
Health: Health
Games: Games
Lobby: Lobby
Replayed: Replayed
Outline: Outline
Bring: Bring
Enter: Enter
}
/**
 * The first message on a WebSocket. Without a key the cookie counts, and without one a spectator comes.
 */
export interface Hello {
type: "hello"
id?: (number | null)
protocol: number
key?: (string | null)
}
/**
 * Decide. `ask` is the number of the open decision as `seen` gave it; a run of texts is applied all or nothing.
 */
export interface Act {
type: "act"
id?: (number | null)
ask: number
texts: string[]
}
/**
 * Leave a race to the others ("not me"): the bots wait for you no longer. You may still act while it is open.
 */
export interface Decline {
type: "decline"
id?: (number | null)
ask: number
}
/**
 * What would I see after these? Nothing is committed.
 */
export interface Preview {
type: "preview"
id?: (number | null)
texts: string[]
}
/**
 * Give a signal, in games that have them.
 */
export interface Signal {
type: "signal"
id?: (number | null)
text: string
}
/**
 * Move to another free seat, before the start.
 */
export interface Claim {
type: "claim"
id?: (number | null)
seat: number
}
/**
 * The maker gives a free seat to a bot, or frees a bot's seat, before the start.
 */
export interface Arrange {
type: "arrange"
id?: (number | null)
seat: number
chair: Chair
}
/**
 * One seat of a new table: for a person to claim, or a bot's.
 */
export interface Chair {
kind?: ("bot" | "open")
bot?: (string | null)
}
/**
 * The maker removes the person on a seat, before the start.
 */
export interface Remove {
type: "remove"
id?: (number | null)
seat: number
}
/**
 * The maker begins the match. Free seats go to the bot named in `fill`; without one they are refused.
 */
export interface Start {
type: "start"
id?: (number | null)
fill?: (string | null)
}
/**
 * Give the seat up (before the start), or go away from it at once (while the match runs: it stays yours).
 */
export interface Leave {
type: "leave"
id?: (number | null)
}
/**
 * Take the seat back from the bot that sits in.
 */
export interface Return {
type: "return"
id?: (number | null)
}
/**
 * Agree that a bot sits in for someone who is away. It does when all the others who are here agree.
 */
export interface SitIn {
type: "sit-in"
id?: (number | null)
seat: number
bot?: (string | null)
}
/**
 * Say something. In silent games before the match and after it, in others at any time.
 */
export interface Chat {
type: "chat"
id?: (number | null)
text: string
}
/**
 * Hear the person on a seat no more, or again, wherever they sit.
 */
export interface Mute {
type: "mute"
id?: (number | null)
seat: number
chat?: ("heard" | "muted")
}
/**
 * A new table with the same people, after the match. Its name comes with the `table` message, as `next`.
 */
export interface Rematch {
type: "rematch"
id?: (number | null)
options?: {
[k: string]: boolean | number | string
}
}
/**
 * Go to the rematch's table with the same key (HTTP: the answer's cookie is for that table).
 */
export interface Follow {
type: "follow"
id?: (number | null)
}
/**
 * The answer to `hello`; again when your seat became another, or the table yours.
 */
export interface Welcome {
type: "welcome"
protocol: number
software: string
seat: (number | null)
maker: boolean
notice?: (Message | null)
}
/**
 * A sentence before it has a language: `Message("silencio.refuse.rank", {"card": …})`.
 */
export interface Message {
code: string
params?: {
[k: string]: unknown
}
}
/**
 * This page is of another version: load it again. The socket is closed after it.
 */
export interface Reload {
type: "reload"
protocol: number
sentence: string
}
/**
 * The table but not the match: who sits where. Sent when it changes.
 */
export interface Table {
type: "table"
table: string
game: string
options: {
[k: string]: boolean | number | string
}
phase: ("gathering" | "over" | "playing")
seats: SeatInfo[]
visibility: ("open" | "private")
spectators: ("after" | "none" | "public")
clock: (number | null)
silent: boolean
grace: number
next?: (string | null)
result?: {
[k: string]: unknown
}
}
/**
 * What everyone may know of who sits on a seat. Nothing here depends on the match before it is over.
 */
export interface SeatInfo {
kind: ("bot" | "open" | "person")
name?: (string | null)
bot?: (string | null)
presence?: ("away" | "here" | "left")
away_since?: (number | null)
sitting_in?: (string | null)
agreed?: number[]
client?: (("person" | "program") | null)
person?: (string | null)
played?: Span[]
}
/**
 * Who decided for a seat from one step of the record to another, both included, counted from 1 as a replay does.
 * 
 *     `bot` names the bot where `kind` is `bot`, and the one that decided because time ran out where it is `clock`.
 */
export interface Span {
first: number
last: number
kind: ("bot" | "client" | "clock" | "person" | "program")
bot?: (string | null)
}
/**
 * All that a seat (or a spectator) gets of the match. Sent when, and only when, it changed.
 * 
 *     Of what was heard, the first `keep` lines stand as they were told; `heard` follows them. `offers`, `told` and
 *     `signal_offers` put `legal`, `heard` and `signals` into words.
 */
export interface Seen {
type: "seen"
seat: (number | null)
ask: (number | null)
view: unknown
legal: string[]
offers: Message[]
signals: string[]
signal_offers: Message[]
keep: number
heard: string[]
told: Message[]
deadline?: (number | null)
race_until?: (number | null)
}
/**
 * The answer to `preview`: the table as it would be, and the lines that would be heard.
 */
export interface Previewed {
type: "previewed"
view: unknown
legal: string[]
offers: Message[]
heard: string[]
told: Message[]
id?: (number | null)
}
/**
 * The command was carried out and written down. `again`: it had been before, and nothing was done twice.
 */
export interface Done {
type: "done"
id?: (number | null)
again?: boolean
}
/**
 * The command was refused and changed nothing; why, as a message and as an English sentence.
 */
export interface Refused {
type: "refused"
reason: Message
sentence: string
id?: (number | null)
}
/**
 * Someone said something. It stays theirs, whoever sits on that seat later.
 */
export interface Said {
type: "said"
number: number
seat: number
name: (string | null)
person: (string | null)
text: string
}
/**
 * You were removed from the table, or it was closed; why, as a message and as an English sentence. The socket is
 *     closed after it.
 */
export interface Removed {
type: "removed"
reason: Message
sentence: string
}
/**
 * Claim a free seat with a name; without a number, the first one.
 */
export interface Join {
name: string
seat?: (number | null)
kind?: (("person" | "program") | null)
}
/**
 * A place at a table. `key` is the capability: who has it has the place. `link` carries it to another device.
 */
export interface Entered {
table: string
seat: (number | null)
maker: boolean
key: string
link: string
invitation: string
}
/**
 * Make a table. The maker sits on the first seat that is no bot's, unless `name` is missing.
 */
export interface Create {
game: string
seats: number
name?: (string | null)
kind?: (("person" | "program") | null)
options?: {
[k: string]: boolean | number | string
}
chairs?: Chair[]
visibility?: ("open" | "private")
spectators?: ("after" | "none" | "public")
clock?: (number | null)
}
export interface Health {
ok: boolean
software: string
protocol: number
database: string
tables: number
}
export interface Games {
protocol: number
software: string
games: GameInfo[]
}
/**
 * A game that can be played here.
 */
export interface GameInfo {
game: string
title: string
rules_version: number
min_seats: number
max_seats: number
options: {
[k: string]: (boolean | number | string)[]
}
silent: boolean
signals: string[]
bots: BotInfo[]
}
/**
 * A bot that plays a game: how it plays, and what it takes for granted of the others (in English).
 */
export interface BotInfo {
name: string
style: string
assumes: string
}
export interface Lobby {
tables: LobbyTable[]
}
/**
 * An open table in the lobby.
 */
export interface LobbyTable {
table: string
game: string
options: {
[k: string]: boolean | number | string
}
phase: ("gathering" | "over" | "playing")
seats: SeatInfo[]
spectators: ("after" | "none" | "public")
clock: (number | null)
}
/**
 * A match after some of its steps, from a seat's eyes, a spectator's (`public`), or everyone's at once (`open`).
 * 
 *     `heard` and `told` are all that those eyes had heard by then; open ones, the record itself.
 */
export interface Replayed {
eyes: string
step: number
steps: number
view: unknown
views?: (unknown[] | null)
heard: string[]
told: Message[]
result?: {
[k: string]: unknown
}
}
/**
 * A whole match step by step, as some eyes were told it.
 */
export interface Outline {
eyes: string
game: string
rules_version: number
options: {
[k: string]: boolean | number | string
}
seats: OutlineSeat[]
date: (string | null)
steps: OutlineStep[]
result?: {
[k: string]: unknown
}
}
/**
 * Who sat on a seat, and who decided for it, where the record says so.
 */
export interface OutlineSeat {
name: (string | null)
bot: (string | null)
played?: Span[]
}
/**
 * One step of a match: who acted (null: chance), and what the eyes were told of it.
 */
export interface OutlineStep {
who: (number | null)
what: ("chance" | "decision" | "signal")
told: Message[]
}
/**
 * A record that somebody brings to look at. Nothing of it is kept.
 */
export interface Bring {
record: string
eyes?: string
step?: number
}
/**
 * Show a key on this device; a cookie keeps it.
 */
export interface Enter {
key: string
}
