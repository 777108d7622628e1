/* Made by `npm run types` from the server. Do not edit. */
/* eslint-disable */

export const PROTOCOL = 1

export interface Wire {
command: (Hello | Act | Decline | Preview | Signal | Claim | Arrange | Remove | Start | Stir | Leave | Return | SitIn | Wish | Resume | Prepare | Chat | Mute | Rematch | Follow | WorkOut | Note | Hint | Undo | Lend | Contribute | OpenRoom | Lead | Go | Mark | React | Agree)
event: (Welcome | Joined | Reload | Table | Seen | Previewed | Done | Refused | Said | Removed | WorkedOut | Hinted | Room)
Join: Join
Entered: Entered
Create: Create
Health: Health
Games: Games
Lobby: Lobby
Replayed: Replayed
Outline: Outline
Bring: Bring
Reviewed: Reviewed
BringReview: BringReview
Enter: Enter
Daily: Daily
DealInfo: DealInfo
Results: Results
Close: Close
Challenge: Challenge
Challenged: Challenged
NewDuplicate: NewDuplicate
MadeDuplicate: MadeDuplicate
Duplicate: Duplicate
Branch: Branch
Check: Check
Checked: Checked
Player: Player
NoticeSettings: NoticeSettings
Reach: Reach
NewChannel: NewChannel
OneChannel: OneChannel
TableNotices: TableNotices
You: You
MyMatches: MyMatches
Invitations: Invitations
Export: Export
Delete: Delete
KeepName: KeepName
PasskeyOptions: PasskeyOptions
PasskeyAnswer: PasskeyAnswer
RemovePasskey: RemovePasskey
SignIn: SignIn
RemoveDevice: RemoveDevice
Avoid: Avoid
InvitePerson: InvitePerson
Dismiss: Dismiss
Try: Try
Tried: Tried
Look: Look
}
/**
 * The first message on a WebSocket. Without a key the cookie is used; without a cookie you are a spectator. With
 *     `join` you claim a seat first, with `create` (at `/api/live`) you make the table; `joined` tells you its key.
 */
export interface Hello {
type: "hello"
id?: (number | null)
protocol: number
key?: (string | null)
join?: (Join | null)
create?: (Create | null)
}
/**
 * Claim a free seat with a name; without a number, the first free one.
 */
export interface Join {
name: string
seat?: (number | null)
kind?: (("person" | "program") | null)
}
/**
 * Create a table. With a `name`, the maker gets the first seat that is not a bot's.
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
spectators?: ("after" | "delayed" | "none" | "public" | "seat")
delay_decisions?: (number | null)
delay_minutes?: (number | null)
clock?: (number | null)
reserve?: (number | null)
at_end?: (("bot" | "end" | "pass") | null)
aids?: ("hints" | "known" | "none")
starts?: ("full" | "maker")
deal?: (string | null)
}
/**
 * One seat of a new table: open for a person, or taken by a bot.
 */
export interface Chair {
kind?: ("bot" | "open")
bot?: (string | null)
}
/**
 * Decide. `ask` is the number of the open question, from `seen`. Several texts are applied all or none.
 */
export interface Act {
type: "act"
id?: (number | null)
ask: number
texts: string[]
}
/**
 * Leave a race to the others: bots no longer wait for you. You may still act while the race is open.
 */
export interface Decline {
type: "decline"
id?: (number | null)
ask: number
}
/**
 * Ask what you would see after these decisions. Nothing changes.
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
 * Add a text of your own to the chance of a match, before the start: so nobody can have chosen the cards.
 */
export interface Stir {
type: "stir"
id?: (number | null)
text: string
}
/**
 * Before the start: give up the seat. During the match: be away at once; the seat stays yours.
 */
export interface Leave {
type: "leave"
id?: (number | null)
}
/**
 * Take your seat back from the bot that sits in for you.
 */
export interface Return {
type: "return"
id?: (number | null)
}
/**
 * Agree that a bot sits in for a person who is away. It does so once all others who are present agree.
 */
export interface SitIn {
type: "sit-in"
id?: (number | null)
seat: number
bot?: (string | null)
}
/**
 * Say silently whether you would agree to pause or to end the match. It happens once all people agree; nobody is
 *     told who asked or who does not.
 */
export interface Wish {
type: "wish"
id?: (number | null)
want: ("end" | "pause")
answer?: ("no" | "yes")
}
/**
 * Go on after a pause. Anyone at the table can.
 */
export interface Resume {
type: "resume"
id?: (number | null)
}
/**
 * Let the server answer your next question if only one decision is possible then. Nobody else is told.
 */
export interface Prepare {
type: "prepare"
id?: (number | null)
answer?: ("no" | "yes")
}
/**
 * Say something. In silent games only before and after the match.
 */
export interface Chat {
type: "chat"
id?: (number | null)
text: string
}
/**
 * Mute or unmute the person on a seat; this follows the person to other seats.
 */
export interface Mute {
type: "mute"
id?: (number | null)
seat: number
chat?: ("heard" | "muted")
}
/**
 * Create a new table for the same people, after the match. Its name is `next` of the `table` message.
 */
export interface Rematch {
type: "rematch"
id?: (number | null)
options?: {
[k: string]: boolean | number | string
}
}
/**
 * Go to the rematch's table with the same key. Over HTTP, the answer sets a cookie for that table.
 */
export interface Follow {
type: "follow"
id?: (number | null)
}
/**
 * Ask what you can work out of hidden cards, at a table with aids. Nothing changes.
 */
export interface WorkOut {
type: "work-out"
id?: (number | null)
}
/**
 * Write something for yourself on a place with hidden cards, or on a row; an empty text removes it.
 */
export interface Note {
type: "note"
id?: (number | null)
place: string
text?: string
}
/**
 * Ask what a strong bot would do for you, at a table with hints. `ask` is the number of the open question: asking
 *     again for the same question costs nothing.
 */
export interface Hint {
type: "hint"
id?: (number | null)
ask: number
}
/**
 * Take back your last decision, while nobody was told of it. `ask` is the number in `seen.undo`.
 */
export interface Undo {
type: "undo"
id?: (number | null)
ask: number
}
/**
 * Let spectators see with your eyes, or no longer, at a table whose spectators see with a seat's eyes.
 */
export interface Lend {
type: "lend"
id?: (number | null)
eyes?: ("lent" | "own")
}
/**
 * Say whether this match may go into a dataset for research, without names. It does if all people here agree;
 *     nobody is told who does. It holds for this match alone, and can be taken back.
 */
export interface Contribute {
type: "contribute"
id?: (number | null)
answer?: ("no" | "yes")
}
/**
 * Open the review room, after the match. Whoever opens it leads; where it is open nothing changes.
 */
export interface OpenRoom {
type: "open-room"
id?: (number | null)
}
/**
 * Whoever leads the room hands the lead to a seat. Your own seat: take it, if the leader is not here.
 */
export interface Lead {
type: "lead"
id?: (number | null)
seat: number
}
/**
 * Whoever leads takes everybody to a moment of the match.
 */
export interface Go {
type: "go"
id?: (number | null)
step: number
}
/**
 * Mark a piece at a moment, with `to` draw an arrow to another piece; the same again removes it. Without a piece,
 *     all that you drew at this moment is removed.
 */
export interface Mark {
type: "mark"
id?: (number | null)
step: number
piece?: (string | null)
to?: (string | null)
}
/**
 * Say with a sign what you think of a moment; the same again takes it back.
 */
export interface React {
type: "react"
id?: (number | null)
step: number
sign: ("heart" | "laugh" | "like" | "think" | "wow")
}
/**
 * Let the others in the room see with your seat's eyes, or no longer. Once all people agree, hands are open.
 */
export interface Agree {
type: "agree"
id?: (number | null)
hands?: ("closed" | "open")
}
/**
 * The answer to `hello`. Sent again when your seat changes or you become the maker.
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
 * The answer to `join` and `create`: your key, and who you are on this server (header `Tacit-Player`).
 */
export interface Joined {
type: "joined"
table: string
seat: (number | null)
key: string
player: string
}
/**
 * The page has another protocol version: reload it. The server then closes the socket.
 */
export interface Reload {
type: "reload"
protocol: number
sentence: string
}
/**
 * The table without its match: who sits where. Sent when it changes.
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
spectators: ("after" | "delayed" | "none" | "public" | "seat")
clock: (number | null)
reserve?: (number | null)
at_end?: (("bot" | "end" | "pass") | null)
paused?: (number | null)
ended?: (("agreed" | "time") | null)
silent: boolean
aids?: ("hints" | "known" | "none")
starts?: ("full" | "maker")
grace: number
next?: (string | null)
result?: {
[k: string]: unknown
}
deal?: (TableDeal | null)
branched?: (Branched | null)
commitment?: (string | null)
delay_decisions?: (number | null)
delay_minutes?: (number | null)
opening?: (Opening | null)
}
/**
 * Public information about a seat. Until the match is over, nothing here depends on it.
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
lent?: boolean
stirred?: boolean
hints?: number
}
/**
 * Who decided for a seat from step `first` to step `last` of the record (both included, counted from 1).
 * 
 *     `bot` is the bot's name where `kind` is `bot`, or `clock` (the bot that decided when time ran out).
 */
export interface Span {
first: number
last: number
kind: ("bot" | "client" | "clock" | "person" | "program")
bot?: (string | null)
}
/**
 * The deal that a table plays, and whether the attempt counts (null before the start).
 */
export interface TableDeal {
deal: string
kind: ("challenge" | "daily" | "duplicate")
number?: (number | null)
team?: (number | null)
duplicate?: (string | null)
deals?: (number | null)
counted?: (boolean | null)
reason?: (Message | null)
}
/**
 * Where a match was played on from: a table of this server (null: a record that was brought), and the step.
 */
export interface Branched {
table: (string | null)
step: number
}
/**
 * What a commitment was made to; docs/fair-deals.md says how a record is checked against it.
 * 
 *     `beginning` is the record of the match that a challenge was made of, if that one was not played on a deal.
 */
export interface Opening {
key: string
salt: string
beginning?: (string | null)
}
/**
 * What a seat (or a spectator) sees of the match. Sent only when it changed.
 * 
 *     Keep the first `keep` lines heard so far and append `heard`. `offers`, `told` and `signal_offers` are the messages
 *     for `legal`, `heard` and `signals`.
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
undo?: (number | null)
undo_offer?: (Message | null)
eyes?: (number | null)
views?: (unknown[] | null)
race_until?: (number | null)
reserve?: (number | null)
wishes?: ("end" | "pause")[]
prepared?: boolean
notes?: {
[k: string]: string
}
hints_left?: (number | null)
contributes?: boolean
}
/**
 * The answer to `preview`: the view after the decisions, and the lines that the seat would hear.
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
 * The command is done and stored. `again`: it was already done before, and nothing changed now.
 */
export interface Done {
type: "done"
id?: (number | null)
again?: boolean
}
/**
 * The command was refused and changed nothing. The reason is a message and an English sentence.
 */
export interface Refused {
type: "refused"
reason: Message
sentence: string
id?: (number | null)
}
/**
 * A chat message. It belongs to the person who wrote it, not to the seat.
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
 * You were removed from the table, or it was closed. The reason is a message and an English sentence. The server
 *     then closes the socket.
 */
export interface Removed {
type: "removed"
reason: Message
sentence: string
}
/**
 * The answer to `work-out`: for each hidden place the cards that can lie there, and how likely.
 */
export interface WorkedOut {
type: "worked-out"
outlook: Outlook
id?: (number | null)
}
/**
 * What a seat can work out: exact, or from a sample of `states` that agree with what it knows and has heard.
 */
export interface Outlook {
exact: boolean
states: number
places: HiddenPlace[]
}
/**
 * A place with hidden cards: `hand 1`, `row 1 4` (seat and position), `deck`, `city`.
 */
export interface HiddenPlace {
place: string
cards: number
chances: CardChance[]
}
/**
 * A card, as records name it, and the probability that it lies in a place (of a deck: that it comes next).
 */
export interface CardChance {
card: string
chance: number
}
/**
 * The answer to `hint`: a decision, how it is offered, and why a bot would take it (null: the game gives no
 *     reasons). Both follow from what the seat knows.
 */
export interface Hinted {
type: "hinted"
ask: number
text: string
offer: Message
why: (Message | null)
left: number
id?: (number | null)
}
/**
 * The review room, once it is open. Sent when it changes.
 */
export interface Room {
type: "room"
leader: number
step: number
drawn: Drawn[]
reactions: Reaction[]
agreed: number[]
open: boolean
}
/**
 * A mark on a piece, or an arrow from it to another, and the seat that drew it.
 */
export interface Drawn {
seat: number
step: number
piece: string
to?: (string | null)
}
/**
 * A seat's sign at a moment.
 */
export interface Reaction {
seat: number
step: number
sign: ("heart" | "laugh" | "like" | "think" | "wow")
}
/**
 * A seat at a table. `key` is the capability for it: keep it secret. `link` opens the seat on another device.
 */
export interface Entered {
table: string
seat: (number | null)
maker: boolean
key: string
link: string
invitation: string
}
export interface Health {
ok: boolean
software: string
protocol: number
database: string
bus: string
bus_up: boolean
tables: number
}
export interface Games {
protocol: number
software: string
games: GameInfo[]
}
/**
 * A game that this server offers.
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
cooperative?: boolean
silent: boolean
signals: string[]
bots: BotInfo[]
puzzles?: number
}
/**
 * A bot of a game: its style, and what it assumes about the other seats (in English).
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
spectators: ("after" | "delayed" | "none" | "public" | "seat")
clock: (number | null)
aids?: ("hints" | "known" | "none")
deal?: (string | null)
}
/**
 * A match after some steps, as `eyes` see it: a seat, a spectator (`public`), or all seats at once (`open`).
 * 
 *     `heard` and `told` are the lines heard so far; with `open`, the record itself.
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
previewed?: (Previewed | null)
}
/**
 * All steps of a match, as `eyes` heard them.
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
branched?: (Branched | null)
}
/**
 * Who sat on a seat and who decided for it, if the record says so.
 */
export interface OutlineSeat {
name: (string | null)
bot: (string | null)
played?: Span[]
}
/**
 * One step of a match: who decided (null: chance), and the messages about it.
 */
export interface OutlineStep {
who: (number | null)
what: ("chance" | "decision" | "signal")
told: Message[]
}
/**
 * A record to replay. The server does not store it.
 */
export interface Bring {
record: string
eyes?: string
step?: number
decision?: (string | null)
}
/**
 * A review as far as it is made. Ask again with `mark` as `after` and with `wait`: the answer comes when there is
 *     more, until its state is `ready` or `failed`.
 */
export interface Reviewed {
state: ("failed" | "queued" | "ready" | "working")
place: number
mark: string
review?: (Review | null)
}
/**
 * A review, whole or in part (`stage`, `progress`): what is not there yet is empty.
 */
export interface Review {
game: string
seats: number
cooperative: boolean
unit: ("cards" | "chance" | "points")
budget: number
seed: number
stage: ("curve" | "done" | "moments")
progress: number
styles: string[]
summary: Message[]
curve: CurvePoint[]
clairvoyance: (Clairvoyance | null)
moments: KeyMoment[]
accounts: SeatAccount[]
}
/**
 * What was to be expected after `steps` steps of the match, and what the steps since the point before changed.
 * 
 *     Of each side, `value` at this point is that of the point before, plus `luck`, `decisions` and `conventions`.
 */
export interface CurvePoint {
steps: number
line: number
value: Interval[]
chance: Interval[]
score: number[]
luck: number[]
decisions: number[]
conventions?: number[]
seat?: (number | null)
text?: string
words?: (Message | null)
}
/**
 * An estimate with its interval of 95 %.
 */
export interface Interval {
value: number
low: number
high: number
}
/**
 * Could it be won, by seats that know every card and every draw to come? `none`: the game has no such answer.
 */
export interface Clairvoyance {
status: ("impossible" | "none" | "proved" | "unknown")
sentence: Message
best?: (number | null)
line?: string[]
line_from?: number
turning_line?: (number | null)
turning_seat?: (number | null)
turning_text?: string
}
/**
 * A slip, a matter of convention, or a stroke of luck.
 * 
 *     A slip costs in every style; a matter of convention costs in some only (`shared_by`: these). The board at that
 *     moment is the match after `line` lines, as `seat` saw it.
 */
export interface KeyMoment {
kind: ("convention" | "luck" | "slip")
steps: number
line: number
seat: (number | null)
amount: Interval
made: string
made_words: Message
better?: (string | null)
better_words?: (Message | null)
options?: Option[]
styles?: StyleVerdict[]
shared_by?: string[]
reasons?: Message[]
truth?: (Interval | null)
unknown?: Message[]
}
/**
 * A decision that a seat could have made, and what it brings on average by what the seat knew.
 */
export interface Option {
text: string
words: Message
value: Interval
chance?: (number | null)
made?: boolean
}
/**
 * What a decision costs if the table goes on in one style, named after the bot that plays it.
 */
export interface StyleVerdict {
style: string
best: string
loss: Interval
}
/**
 * What one seat did and met. In a co-operative game `luck` is everybody's.
 */
export interface SeatAccount {
seat: number
decisions: number
best: number
slips: number
loss: Interval
decided: Interval
others: Interval
luck: Interval
conventions?: Interval1
met?: {
[k: string]: number
}
}
/**
 * An estimate with its interval of 95 %.
 */
export interface Interval1 {
value: number
low: number
high: number
}
/**
 * A record of a finished match to review. The server does not store it. `after`: the mark of the last answer.
 */
export interface BringReview {
record: string
after?: string
wait?: number
}
/**
 * Open a seat on this device by its key; the answer sets a cookie.
 */
export interface Enter {
key: string
}
/**
 * The deals of a day (UTC). `streak` counts the days in a row, up to this one, with a counted attempt of yours.
 */
export interface Daily {
number: number
date: string
ends: number
today: number
deals: DealInfo[]
streak: number
longest_streak: number
}
/**
 * A deal: which match is played on it, until when, and what proves its cards.
 * 
 *     `bot` has every seat without a person. `opening` is null until the cards are public: once the deal is closed and
 *     nobody plays it any more.
 */
export interface DealInfo {
deal: string
kind: ("challenge" | "daily" | "duplicate")
game: string
rules_version: number
options: {
[k: string]: boolean | number | string
}
seats: number
bot: string
number?: (number | null)
date?: (string | null)
opened: number
closes?: (number | null)
open: boolean
commitment: string
opening?: (Opening | null)
finished: number
mine?: (MyAttempt | null)
would_count: boolean
reason?: (Message | null)
}
/**
 * The attempt of whoever asks: the counted one if there is one, otherwise the first.
 */
export interface MyAttempt {
table: string
phase: ("gathering" | "over" | "playing")
counted: boolean
reason?: (Message | null)
score?: (number | null)
}
/**
 * The results of a deal, for those who have finished it, and for everyone once its cards are public.
 * 
 *     Counted attempts come first, the best one first. `bots` is the score of the deal's bot on all seats, `best` the best
 *     that is known; null where they are not known (yet). `best_is` says what it is: the best "possible" on these cards
 *     for seats that know them all; the best that was "found" by a search that could not try everything; in games that are
 *     not co-operative the best that was "reached" by anybody or by the bots; "searching": the server still looks for it.
 *     `share` tells your result without telling a card.
 */
export interface Results {
deal: DealInfo
cooperative: boolean
counted: number
distribution: Bar[]
bots: (number | null)
best: (number | null)
best_is: ("found" | "possible" | "reached" | "searching" | "unknown")
mine: (Team | null)
share: (string | null)
total: number
offset: number
teams: Team[]
}
/**
 * How many counted attempts ended with a score.
 */
export interface Bar {
score: number
count: number
}
/**
 * One attempt in a list of results. `table` is where its replay is.
 * 
 *     In a co-operative game `score` is the team's; otherwise it is that of the best person, and `scores` has each seat's.
 */
export interface Team {
table: string
names: string[]
people: number
score: number
scores: number[]
result: unknown
counted: boolean
place?: (number | null)
reason?: (Message | null)
sat_in?: string[]
finished: number
mine?: boolean
}
/**
 * Close a deal or a duplicate match that you made.
 */
export interface Close {

}
/**
 * Let others play the deal of this finished match.
 */
export interface Challenge {
hours?: (number | null)
}
/**
 * A challenge. Whoever opens `link` can play the same deal at a table of their own.
 */
export interface Challenged {
link: string
deal: DealInfo
}
/**
 * Make tables that play the same deals.
 */
export interface NewDuplicate {
game: string
seats: number
options?: {
[k: string]: boolean | number | string
}
tables: number
deals: number
title?: (string | null)
clock?: (number | null)
}
/**
 * A duplicate match. `key` closes it, and is the maker's at each of its tables: keep it secret.
 */
export interface MadeDuplicate {
duplicate: string
key: string
link: string
}
/**
 * A duplicate match: its tables, the standing of each deal, and in all of those that are shown.
 */
export interface Duplicate {
duplicate: string
title: (string | null)
game: string
options: {
[k: string]: boolean | number | string
}
seats: number
cooperative: boolean
open: boolean
opened: number
tables: DuplicateTable[]
deals: DealStanding[]
total: Standing[]
}
/**
 * One table of a duplicate match: where it plays now. It goes on to the next deal by `rematch`.
 */
export interface DuplicateTable {
team: number
table: string
deal: number
phase: ("gathering" | "over" | "playing")
names: (string | null)[]
finished: number[]
}
/**
 * The standing of one deal. It is empty until you have finished the deal, or all tables have.
 */
export interface DealStanding {
number: number
deal: string
finished: number
shown: boolean
rows: Standing[]
}
/**
 * One row of a standing: a table in a co-operative game, otherwise a person.
 * 
 *     Co-operative games: `points` are matchpoints, two for every table with a lower score and one for every other with
 *     the same. Other games: `points` are the game's own, and `places` the sum of the places at the own table.
 */
export interface Standing {
team: number
seat?: (number | null)
names: string[]
score?: (number | null)
points: number
places?: (number | null)
place?: (number | null)
sat_in?: string[]
reason?: (Message | null)
}
/**
 * Play on from a moment of a finished match (`table`) or of a record: after its first `step` lines.
 * 
 *     The maker gets seat `seat`; the others are as `chairs` say, or open.
 */
export interface Branch {
table?: (string | null)
record?: (string | null)
step: number
name: string
seat?: number
kind?: (("person" | "program") | null)
chairs?: Chair[]
visibility?: ("open" | "private")
}
/**
 * Check what chance did in a record: by its own tags, or by the opening of its deal, if it has one.
 */
export interface Check {
record: string
opening?: (Opening | null)
}
/**
 * `fair`: every draw follows from the opening, and the opening fits the commitment. Otherwise `reason` says what
 *     is wrong or missing, and `line` where.
 */
export interface Checked {
verdict: ("fair" | "unknown" | "wrong")
draws: number
commitment?: (string | null)
line?: (number | null)
reason?: (Message | null)
}
/**
 * Who you are on this server: a random name that a cookie keeps. Programs send it in the header `Tacit-Player`.
 */
export interface Player {
player: string
}
/**
 * All that you chose about notices. `push_key` is what a browser subscribes with; null: no web push here.
 */
export interface NoticeSettings {
push_key: (string | null)
reach: Reach
channels: ChannelInfo[]
tables: {
[k: string]: boolean
}
added?: (string | null)
}
/**
 * Choose: notices of all your tables or only of some, in which language, and when not.
 */
export interface Reach {
everywhere?: boolean
language?: ("de" | "en" | "nl")
quiet?: (QuietHours | null)
}
/**
 * When nothing is sent: it waits until `to`. From a later to an earlier minute is over midnight.
 */
export interface QuietHours {
start: number
to: number
zone: string
}
/**
 * A way to reach you. `host` is the part of its address that can be shown.
 */
export interface ChannelInfo {
channel: string
kind: ("discord" | "json" | "matrix" | "push" | "slack")
host: string
made: number
failures: number
}
/**
 * Another way to reach you. A test message goes there first; if it does not arrive, nothing is kept.
 * 
 *     `keys` of web push are the browser's `p256dh` and `auth`; of Matrix a `token`, if the address is a room's.
 */
export interface NewChannel {
kind: ("discord" | "json" | "matrix" | "push" | "slack")
address: string
keys?: {
[k: string]: string
}
language?: (("de" | "en" | "nl") | null)
}
/**
 * Remove a channel, or send it a test message.
 */
export interface OneChannel {

}
/**
 * Notices of this table: wanted, not wanted, or (null) as for all tables.
 */
export interface TableNotices {
wanted?: (boolean | null)
}
/**
 * What this server knows of you.
 */
export interface You {
recognised: boolean
name: (string | null)
passkeys: Passkey[]
devices: Device[]
matches: number
days: number
longest_days: number
records: GameRecord[]
ratings: Rating[]
measuring: number
people: Acquaintance[]
shut_out?: (Message | null)
}
/**
 * A passkey of yours. `label` is the device on which it was made.
 */
export interface Passkey {
passkey: string
label: string
made: number
used?: (number | null)
}
/**
 * A device that is yours by a passkey.
 */
export interface Device {
device: string
label: string
added: number
here: boolean
}
/**
 * Your results in a game with these options and seats. A seat that a bot finished counts as played, no more.
 */
export interface GameRecord {
game: string
options: {
[k: string]: boolean | number | string
}
seats: number
played: number
finished: number
best?: (number | null)
best_result?: {
[k: string]: unknown
}
average?: (number | null)
won?: (number | null)
in_a_row?: (number | null)
}
/**
 * How well you play a game, with the half of a 95 % interval (null: too few matches to say).
 * 
 *     `skill`: against people, by OpenSkill, around 1500. `deal`: how much better your matches ended, on average, than
 *     those of the bot `measure` with the same cards.
 */
export interface Rating {
game: string
kind: ("deal" | "skill")
value: number
margin: (number | null)
matches: number
provisional: boolean
measure?: (string | null)
}
/**
 * Somebody you played with. `person` names them for you alone.
 */
export interface Acquaintance {
person: string
name: (string | null)
matches: number
last: number
game: string
options: {
[k: string]: boolean | number | string
}
seats: number
avoided: boolean
}
export interface MyMatches {
total: number
offset: number
matches: MyMatch[]
}
/**
 * A match of yours. Its replay is at its table.
 */
export interface MyMatch {
table: string
game: string
options: {
[k: string]: boolean | number | string
}
phase: ("gathering" | "over" | "playing")
made: number
seat: number
seats: MatchSeat[]
score?: (number | null)
result?: {
[k: string]: unknown
}
baseline?: (number | null)
aids?: ("hints" | "known" | "none")
hints?: number
}
/**
 * Who sat there, and who finished: `by` is null while the match runs.
 */
export interface MatchSeat {
name: (string | null)
bot: (string | null)
by: (("bot" | "client" | "clock" | "person" | "program") | null)
}
export interface Invitations {
invitations: Invitation[]
}
/**
 * Somebody invites you to their table.
 */
export interface Invitation {
table: string
game: string
options: {
[k: string]: boolean | number | string
}
seats: number
name: (string | null)
at: number
}
/**
 * All that is kept about you. What others did is not in it.
 */
export interface Export {
format: string
made: number
name: (string | null)
devices: {
[k: string]: unknown
}[]
passkeys: {
[k: string]: unknown
}[]
matches: {
[k: string]: unknown
}[]
attempts: {
[k: string]: unknown
}[]
cards_seen: {
[k: string]: unknown
}[]
said: {
[k: string]: unknown
}[]
ratings: {
[k: string]: unknown
}[]
people: {
[k: string]: unknown
}[]
invitations: {
[k: string]: unknown
}[]
notices: {
[k: string]: unknown
}[]
}
/**
 * Delete all that is kept about you. Matches stay, without your name.
 */
export interface Delete {
sure: true
}
/**
 * Keep a name for yourself; null gives it up. Needs a passkey.
 */
export interface KeepName {
name?: (string | null)
}
/**
 * What the browser's `navigator.credentials` needs, as JSON of WebAuthn. `challenge` goes back with its answer.
 */
export interface PasskeyOptions {
challenge: string
options: {
[k: string]: unknown
}
}
/**
 * What `navigator.credentials` answered (`toJSON`).
 */
export interface PasskeyAnswer {
challenge: string
credential: {
[k: string]: unknown
}
}
/**
 * A passkey shall open nothing any more.
 */
export interface RemovePasskey {
passkey: string
}
/**
 * Begin to sign in with a passkey of this site.
 */
export interface SignIn {

}
/**
 * A device shall be yours no longer.
 */
export interface RemoveDevice {
device: string
}
/**
 * You do not want to meet somebody any more (or you do again). They are not told.
 */
export interface Avoid {
person: string
avoid: boolean
}
/**
 * Invite somebody you played with to a table at which you sit.
 */
export interface InvitePerson {
person: string
table: string
}
/**
 * An invitation is not wanted.
 */
export interface Dismiss {
table: string
}
/**
 * Decisions at a step of a lesson, all or none: `texts`, after those of `played`. A signal is written `! nod`.
 */
export interface Try {
played?: string[]
texts?: string[]
}
/**
 * The table at a step of a lesson, and what the lesson says.
 */
export interface Tried {
steps: string[]
seats: number
moments: Seen[]
played: string[]
done: boolean
ask: (Message | null)
note: (Message | null)
reason: (Message | null)
}
/**
 * Ask what you would see after these decisions at a step of a lesson.
 */
export interface Look {
played?: string[]
texts: string[]
}
