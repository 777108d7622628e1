/** The server's HTTP side. A refusal is thrown as the message that it is. */
import type {
  Branch,
  Chair,
  Challenged,
  Checked,
  Create,
  Daily,
  DealInfo,
  Duplicate,
  Entered,
  Games,
  Invitations,
  Join,
  Lobby,
  MadeDuplicate,
  Message,
  MyMatches,
  NewChannel,
  NewDuplicate,
  NoticeSettings,
  PasskeyOptions,
  Reach,
  Refused,
  Results,
  Reviewed,
  Seen,
  Table,
  You,
} from './protocol.gen'
import { PROTOCOL } from './protocol.gen'
import { patience } from './patience.svelte'

export class Refusal extends Error {
  constructor(
    readonly reason: Message,
    readonly status: number,
    sentence: string,
  ) {
    super(sentence)
  }
}

const PLAYER = 'tacit-player'
let known: Promise<void> | null = null

/** Makes sure that this device has its cookie, before anything is seen or played: what counts on a deal depends on it. */
export function identified(): Promise<void> {
  known ??= identify()
  return known
}

async function identify(): Promise<void> {
  try {
    if (localStorage.getItem(PLAYER)) return
    const answer = await fetch('/api/player', { method: 'POST' })
    await answer.text() // or the request stays open
    if (answer.ok) localStorage.setItem(PLAYER, 'known') // that there is one: the name itself is in the cookie
  } catch {
    known = null // a server that cannot be reached, or a browser that keeps nothing: the next request asks again
  }
}

/** This device is nobody any more: the next request makes it somebody new. */
export function forgetMe(): void {
  known = null
  try {
    localStorage.removeItem(PLAYER)
  } catch {
    // a browser that keeps nothing
  }
}

interface How {
  key?: string | undefined // of a seat or of what somebody made
  waits?: boolean // the answer comes when there is news: it is not overdue
}

export async function call<T>(method: 'GET' | 'POST', path: string, body?: unknown, how: How = {}): Promise<T> {
  let answer: Response
  await identified()
  const done = how.waits ? () => undefined : patience.begin()
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers: {
        'Tacit-Protocol': String(PROTOCOL),
        'Tacit-Refusals': '200', // a refusal is no error: the console stays empty
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(how.key ? { Authorization: `Bearer ${how.key}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Refusal({ code: 'web.unreachable' }, 0, 'unreachable')
  } finally {
    done()
  }
  const status = Number(answer.headers.get('Tacit-Status') ?? answer.status)
  if (status === 426) location.reload()
  const found: unknown = await answer.json().catch(() => null)
  if (status < 400) return found as T
  const refused = found as Partial<Refused> | null
  throw new Refusal(refused?.reason ?? { code: 'web.unreachable' }, status, refused?.sentence ?? '')
}

const at = (table: string, command = ''): string => `tables/${encodeURIComponent(table)}${command && `/${command}`}`
const deal = (name: string): string => `deals/${encodeURIComponent(name)}`
const duplicate = (name: string): string => `duplicates/${encodeURIComponent(name)}`

export const api = {
  games: () => call<Games>('GET', 'games'),
  lobby: () => call<Lobby>('GET', 'lobby'),
  table: (table: string) => call<Table>('GET', at(table)),
  seen: (table: string) => call<Seen>('GET', at(table, 'seen')),
  create: (wish: Create) => call<Entered>('POST', 'tables', { ...wish, kind: 'person' }),
  join: (table: string, wish: Join) => call<Entered>('POST', at(table, 'join'), { ...wish, kind: 'person' }),
  enter: (table: string, key: string) => call<Entered>('POST', at(table, 'enter'), { key }),
  follow: (table: string) => call<Entered>('POST', at(table, 'follow'), {}),
  start: (table: string, fill: string | null) => call<unknown>('POST', at(table, 'start'), { fill }),
  arrange: (table: string, seat: number, chair: Chair) => call<unknown>('POST', at(table, 'arrange'), { seat, chair }),
  daily: (day: number | null) => call<Daily>('GET', day === null ? 'daily' : `daily?day=${day}`),
  deal: (name: string) => call<DealInfo>('GET', deal(name)),
  results: (name: string, offset = 0) => call<Results>('GET', `${deal(name)}/results?offset=${offset}`),
  closeDeal: (name: string) => call<DealInfo>('POST', `${deal(name)}/close`, {}),
  challenge: (table: string) => call<Challenged>('POST', at(table, 'challenge'), {}),
  makeDuplicate: (wish: NewDuplicate) => call<MadeDuplicate>('POST', 'duplicates', wish),
  duplicate: (name: string) => call<Duplicate>('GET', duplicate(name)),
  closeDuplicate: (name: string, key: string) => call<Duplicate>('POST', `${duplicate(name)}/close`, {}, { key }),
  branch: (wish: Branch) => call<Entered>('POST', 'branch', { ...wish, kind: 'person' }),
  you: () => call<You>('GET', 'you'),
  myMatches: (offset: number) => call<MyMatches>('GET', `you/matches?offset=${offset}`),
  invitations: () => call<Invitations>('GET', 'you/invitations'),
  dismiss: (table: string) => call<unknown>('POST', 'you/dismiss', { table }),
  invite: (person: string, table: string) => call<unknown>('POST', 'you/invite', { person, table }),
  avoid: (person: string, avoid: boolean) => call<unknown>('POST', 'you/avoid', { person, avoid }),
  keepName: (name: string | null) => call<unknown>('POST', 'you/name', { name }),
  beginPasskey: (name: string | null) => call<PasskeyOptions>('POST', 'you/passkey/begin', { name }),
  finishPasskey: (challenge: string, credential: unknown) =>
    call<unknown>('POST', 'you/passkey/finish', { challenge, credential }),
  beginSignIn: () => call<PasskeyOptions>('POST', 'you/sign-in/begin', {}),
  finishSignIn: (challenge: string, credential: unknown) =>
    call<unknown>('POST', 'you/sign-in/finish', { challenge, credential }),
  removePasskey: (passkey: string) => call<unknown>('POST', 'you/passkey/remove', { passkey }),
  removeDevice: (device: string) => call<unknown>('POST', 'you/device/remove', { device }),
  deleteMe: () => call<unknown>('POST', 'you/delete', { sure: true }),
  review: (table: string, after: string, wait: number) =>
    call<Reviewed>('GET', `${at(table, 'review')}?${new URLSearchParams({ after, wait: String(wait) })}`, undefined, {
      waits: true,
    }),
  reviewBrought: (record: string, after: string, wait: number) =>
    call<Reviewed>('POST', 'review', { record, after, wait }, { waits: true }),
  check: (record: string) => call<Checked>('POST', 'check', { record }),
  notices: () => call<NoticeSettings>('GET', 'notices'),
  reach: (wish: Reach) => call<NoticeSettings>('POST', 'notices', wish),
  reachBy: (wish: NewChannel) => call<NoticeSettings>('POST', 'notices/channels', wish),
  testChannel: (channel: string) => call<void>('POST', `notices/channels/${encodeURIComponent(channel)}/test`, {}),
  removeChannel: (channel: string) =>
    call<NoticeSettings>('POST', `notices/channels/${encodeURIComponent(channel)}/remove`, {}),
  tableNotices: (table: string, wanted: boolean) => call<NoticeSettings>('POST', at(table, 'notices'), { wanted }),
}
