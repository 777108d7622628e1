/** How somebody likes their tables: the last choice for each game, remembered on this device. */
import { seatsOf } from './games/meta'
import { savedTables } from './savedTables.svelte'
import { settings } from './settings.svelte'
import { api } from './wire/api'
import { gameNamed } from './wire/games'
import type { Create, Entered, GameInfo } from './wire/protocol.gen'
import { t } from './i18n/language.svelte'

export type Value = boolean | number | string

/** How spectators see a match; with a delay, by how many decisions or minutes. */
export const SPECTATORS = ['public', 'seat', 'decisions-10', 'minutes-5', 'after', 'none'] as const
export type SpectatorChoice = (typeof SPECTATORS)[number]

function spectatorsFor(choice: SpectatorChoice): Pick<Create, 'spectators' | 'delay_decisions' | 'delay_minutes'> {
  const [measure, number] = choice.split('-')
  if (measure === 'decisions') return { spectators: 'delayed', delay_decisions: Number(number) }
  if (measure === 'minutes') return { spectators: 'delayed', delay_minutes: Number(number) }
  return { spectators: choice as 'public' | 'seat' | 'after' | 'none' }
}

/** Which aids a table has: each has those before it, too. */
export const AIDS = ['none', 'known', 'hints'] as const
type Aids = (typeof AIDS)[number]

export interface Setup {
  seats: number
  chairs: string[] // a bot's name, or '' for a person; the first seat is one's own
  options: Record<string, Value>
  visibility: 'open' | 'private'
  spectators: SpectatorChoice
  clock: number | null
  aids: Aids
  atEnd: 'bot' | 'pass' | 'end' | null // what happens when a seat's time is over; null: a bot decides once
}

/** Three strengths of bots that every game has, from the mildest on. */
export const STRENGTHS = ['gentle', 'steady', 'search'] as const

/** The bot to play with: the one chosen on this device, where the game has it. */
export function usualBot(info: GameInfo | null | undefined): string {
  const bots = info?.bots.map((bot) => bot.name) ?? []
  return bots.includes(settings.bot) ? settings.bot : (bots[0] ?? 'random')
}

const KEY = 'tacit-wishes'

function read(): Record<string, Partial<Setup>> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Record<string, Partial<Setup>>) : {}
  } catch {
    return {}
  }
}

/** The wish for a game as it was last, as far as it still can be had. */
export function setupFor(info: GameInfo): Setup {
  const last = read()[info.game] ?? {}
  const usual = usualBot(info)
  const bots = info.bots.map((bot) => bot.name)
  const clip = (n: number): number => Math.min(info.max_seats, Math.max(info.min_seats, Math.round(n)))
  const seats = clip(Number(last.seats) || seatsOf(info.game))
  const options: Record<string, Value> = {}
  for (const [name, values] of Object.entries(info.options)) {
    const wanted = last.options?.[name]
    const value = wanted !== undefined && values.includes(wanted) ? wanted : values[0]
    if (value !== undefined) options[name] = value
  }
  const chairs = Array.from({ length: info.max_seats }, (_, i) => {
    const before = last.chairs?.[i]
    return i === 0 ? '' : before !== undefined && (before === '' || bots.includes(before)) ? before : usual
  })
  return {
    seats,
    chairs,
    options,
    visibility: last.visibility === 'open' ? 'open' : 'private',
    spectators: SPECTATORS.find((one) => one === last.spectators) ?? 'public',
    clock: typeof last.clock === 'number' ? last.clock : null,
    aids: AIDS.find((one) => one === last.aids) ?? 'none',
    atEnd: last.atEnd ?? null,
  }
}

export function remember(game: string, wish: Partial<Setup>): void {
  try {
    const all = read()
    localStorage.setItem(KEY, JSON.stringify({ ...all, [game]: { ...all[game], ...wish } }))
  } catch {
    // a browser that keeps nothing
  }
}

interface PlayNow {
  bot: string
  seats: number
  options: Record<string, Value>
  after: string // the table that this match follows
}

/** A clock of hours or days comes with a reserve of seven times as much for the whole match. */
export const LONG = 3600

export function clockText(seconds: number | null): string {
  if (seconds === null) return t('new.clock.none')
  if (seconds >= 86_400) return t(seconds === 86_400 ? 'new.clock.day' : 'new.clock.days', { n: seconds / 86_400 })
  if (seconds >= LONG) return t('new.clock.hours', { n: seconds / 3600 })
  return seconds % 60 ? t('new.clock.seconds', { n: seconds }) : t('new.clock.minutes', { n: seconds / 60 })
}

function time({ clock, atEnd }: Setup): Pick<Create, 'clock' | 'reserve' | 'at_end'> {
  return clock === null || clock < LONG ? { clock } : { clock, reserve: 7 * clock, at_end: atEnd }
}

export const myName = (): string => settings.name || t('guest')

async function make(wish: Create, after: string | null = null): Promise<Entered> {
  const entered = await api.create(wish)
  savedTables.sit(entered.table, wish.game, entered.key, after)
  return entered
}

/** One click: a table with bots, begun. What is not wished for is as this person plays it. */
export async function playNow(game: string, wish: Partial<PlayNow> = {}): Promise<string> {
  const info = await gameNamed(game)
  if (!info) throw new Error(game)
  const { seats, options, aids } = { ...setupFor(info), ...wish }
  const partner = info.bots.find((one) => one.name === wish.bot)?.name ?? usualBot(info)
  const chairs = Array.from({ length: seats }, (_, i) =>
    i === 0 ? { kind: 'open' as const } : { kind: 'bot' as const, bot: partner },
  )
  const entered = await make({ game, seats, name: myName(), chairs, options, aids }, wish.after)
  await api.start(entered.table, null)
  return entered.table
}

/** A private table where all other seats wait for friends. */
export async function inviteTo(game: string, seats: number): Promise<Entered> {
  const info = await gameNamed(game)
  if (!info) throw new Error(game)
  const setup = setupFor(info)
  remember(game, { seats })
  return make({ game, seats, name: myName(), options: setup.options, aids: setup.aids, ...time(setup) })
}

/** A private table like one that was played before, for the same people. */
export async function tableLike(game: string, seats: number, options: Record<string, Value>): Promise<string> {
  return (await make({ game, seats, name: myName(), options })).table
}

/** A table as wished. Where only bots sit beside oneself it begins at once. */
export async function createTable(game: string, wish: Setup): Promise<string> {
  remember(game, wish)
  const { seats, options, visibility, spectators, aids } = wish
  const chairs = wish.chairs
    .slice(0, seats)
    .map((bot) => (bot ? { kind: 'bot' as const, bot } : { kind: 'open' as const }))
  const wished = {
    game,
    seats,
    name: myName(),
    chairs,
    options,
    visibility,
    aids,
    ...spectatorsFor(spectators),
    ...time(wish),
  }
  const entered = await make(wished)
  if (chairs.slice(1).every((chair) => chair.kind === 'bot')) await api.start(entered.table, null)
  return entered.table
}
