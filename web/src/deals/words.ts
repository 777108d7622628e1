/** Deals in words: which one it is, when it ends. */
import { shortOf } from '../games/meta'
import type { DealInfo, TableDeal } from '../wire/protocol.gen'
import { t, words } from '../i18n/language.svelte'

/** "Today's deal 12", "A challenge", "Deal 2 of a duplicate match". */
export function dealTitle(deal: Pick<DealInfo | TableDeal, 'kind' | 'number'>): string {
  return t(`deal.kind.${deal.kind}`, { n: deal.number ?? 0 })
}

/** A day as people write it: "Monday 16 November". */
export function dayText(date: string): string {
  const day: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }
  return new Intl.DateTimeFormat(words.spoken, day).format(new Date(`${date}T00:00:00Z`))
}

/** "in 5 hours", "2 days ago": the largest unit that fits. */
export function whenText(seconds: number, now = Date.now() / 1000): string {
  const format = new Intl.RelativeTimeFormat(words.spoken, { numeric: 'always' })
  const left = seconds - now
  if (Math.abs(left) >= 2 * 86_400) return format.format(Math.round(left / 86_400), 'day')
  if (Math.abs(left) >= 5400) return format.format(Math.round(left / 3600), 'hour')
  return format.format(Math.round(left / 60), 'minute')
}

/** How many tables have finished a deal. */
export function finishedText(deal: DealInfo): string {
  return deal.finished ? t('deal.finished', { n: deal.finished }) : t('deal.unfinished')
}

/** The deals of a day, in the order of the posters. */
export function inOrder(deals: readonly DealInfo[]): DealInfo[] {
  return [...deals].sort((a, b) => shortOf(a.game).localeCompare(shortOf(b.game), 'en'))
}
