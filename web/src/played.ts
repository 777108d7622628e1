/** Who decided for a seat: in words, for its plate and for the result. A seat that a bot was given from the start is that
 * bot's, and needs none. */
import type { Span } from './wire/protocol.gen'
import { botTitle } from './words/bots'
import { t } from './words/language.svelte'

const MOST = 3 // spans that are told one by one

/** Who decided for a seat at a step of the record, or last before it. */
export function spanAt(spans: readonly Span[], step: number): Span | null {
  return spans.findLast((span) => span.first <= step) ?? null
}

/** Who sits there instead of the person: a bot's title, or that it is a program. A clock that ran out replaces nobody. */
export function standIn(span: Pick<Span, 'kind' | 'bot'> | null): string | null {
  if (span?.kind === 'bot') return botTitle(span.bot ?? '')
  return span?.kind === 'program' ? t('played.program') : null
}

/** "Ben, from move 31 on played by Steady"; '' where the person decided everything. */
export function playedNote(name: string, spans: readonly Span[]): string {
  const parts: string[] = []
  if (spans.some((span) => span.kind === 'program')) parts.push(t('played.program'))
  for (const kind of ['bot', 'clock'] as const) {
    const found = spans.filter((span) => span.kind === kind)
    const code = kind === 'bot' ? 'played' : 'played.clock'
    if (found.length > MOST) {
      for (const bot of new Set(found.map((span) => span.bot)))
        parts.push(t(`${code}.often`, { bot: botTitle(bot ?? '') }))
    } else for (const span of found) parts.push(part(code, span, spans))
  }
  return parts.length ? t('played.of', { name, parts: parts.join(', ') }) : ''
}

function part(code: string, span: Span, spans: readonly Span[]): string {
  const { first, last } = span
  const bot = botTitle(span.bot ?? '')
  if (code === 'played' && spans.length === 1) return t('played.whole', { bot })
  if (code === 'played' && span === spans.at(-1)) return t('played.from', { first, bot })
  return t(`${code}.${first === last ? 'one' : 'range'}`, { first, last, bot })
}
