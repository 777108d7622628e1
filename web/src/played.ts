/** Who decided for a seat: in words, for its plate and for the result. A seat that a bot was given from the start is that
 * bot's, and needs none. */
import type { Play } from './play'
import type { Span } from './wire/protocol.gen'
import { botTitle } from './i18n/bots'
import { t } from './i18n/language.svelte'

const MOST = 3 // spans that are listed one by one

/** Who decided for a seat at a step of the record, or last before it. */
export function spanAt(spans: readonly Span[], step: number): Span | null {
  return spans.findLast((span) => span.first <= step) ?? null
}

/** Who sits there instead of the person: a bot's title, or that it is a program. A clock that ran out replaces no one. */
export function standIn(span: Pick<Span, 'kind' | 'bot'> | null): string | null {
  if (span?.kind === 'bot') return botTitle(span.bot ?? '')
  return span?.kind === 'program' ? t('played.program') : null
}

/** "Ben, from move 31 on played by Steady"; '' where the person decided everything. */
export function playedNote(name: string, spans: readonly Span[]): string {
  const parts = spans.some((span) => span.kind === 'program') ? [t('played.program')] : []
  for (const kind of ['bot', 'clock'] as const) {
    const found = spans.filter((span) => span.kind === kind)
    const often = found.length > MOST ? [...new Set(found.map((span) => span.bot ?? ''))] : null
    if (often) parts.push(...often.map((bot) => say(kind, 'often', { bot: botTitle(bot) })))
    else parts.push(...found.map((span) => say(kind, when(span, spans), { ...span, bot: botTitle(span.bot ?? '') })))
  }
  return parts.length ? t('played.of', { name, parts: parts.join(', ') }) : ''
}

const say = (kind: 'bot' | 'clock', how: string, params: Record<string, unknown>): string =>
  kind === 'bot' ? t(`played.${how}`, params) : t(`played.clock.${how}`, params)

function when(span: Span, spans: readonly Span[]): string {
  if (span.kind === 'bot' && spans.length === 1) return 'whole'
  if (span.kind === 'bot' && span === spans.at(-1)) return 'from'
  return span.first === span.last ? 'one' : 'range'
}

const finishedByBot = (play: Play, seat: number): boolean =>
  play.seats[seat]?.kind === 'bot' && play.seats[seat].by !== null

/** Who won on a seat: "Steady for Ben" where a bot finished in a person's place. */
export function winnerName(play: Play, seat: number): string {
  const name = play.names[seat] ?? ''
  return finishedByBot(play, seat) ? t('played.for', { bot: play.seats[seat]?.by ?? '', name }) : name
}

/** Did the viewer win? Not by what a bot finished for them. */
export const youWon = (play: Play, winners: readonly number[]): boolean =>
  play.you !== null && winners.includes(play.you) && !finishedByBot(play, play.you)
