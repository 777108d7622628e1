/** The review of a finished match, or of a record that somebody brought: it is asked for until it is whole. */
import type { Source } from './replay.svelte'
import { api, Refusal } from './wire/api'
import type { CurvePoint, Interval, KeyMoment, Message, Review, Reviewed } from './wire/protocol.gen'
import { t } from './i18n/language.svelte'
import { settings } from './settings.svelte'

const WAIT = 20 // seconds that the server may wait for news
const AGAIN = 2000 // milliseconds until an unreachable server is asked again

/** A record that goes from the replay to the review. It stays on the page. */
let handed: { name: string; record: string } | null = null

export function hand(name: string, record: string): void {
  handed = { name, record }
}

/** What was handed over, once. */
export function takeHanded(): { name: string; record: string } | null {
  const found = handed
  handed = null
  return found
}

export class ReviewFeed {
  reviewed = $state.raw<Reviewed | null>(null)
  why = $state.raw<Message | null>(null) // there is no review
  #stopped = false

  constructor(readonly source: Source) {}

  get review(): Review | null {
    return this.reviewed?.review ?? null
  }

  /** Ask until it is whole. A server that cannot be reached is asked again. */
  async run(): Promise<void> {
    let after = ''
    this.why = null
    this.reviewed = null
    while (!this.#stopped) {
      try {
        const found = await this.#ask(after, after ? WAIT : 0)
        this.reviewed = found
        this.why = null
        if (found.state === 'ready' || found.state === 'failed') return
        after = found.mark
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        this.why = error.reason
        if (error.status !== 0) return
        await new Promise((done) => setTimeout(done, AGAIN))
      }
    }
  }

  stop(): void {
    this.#stopped = true
  }

  #ask(after: string, wait: number): Promise<Reviewed> {
    const { source } = this
    return 'table' in source ? api.review(source.table, after, wait) : api.reviewBrought(source.record, after, wait)
  }
}

/** A record that begins as another one and goes on with other lines: who sat there stays, all else is of the other match. */
export function recordWith(record: string, from: number, lines: readonly string[]): string {
  const all = record.split('\n')
  const head = all.filter((line) => /^(tacit|game|seats|options) |^tag (seat|bot)\d/.test(line))
  const steps = all.filter((line) => /^([*!]|\d+) /.test(line))
  return [...head, ...steps.slice(0, from), ...lines, ''].join('\n')
}

function spelled(value: number, percent: boolean): string {
  const how = percent ? { style: 'percent' as const, maximumFractionDigits: 0 } : { maximumFractionDigits: 1 }
  return new Intl.NumberFormat(settings.language, how).format(Math.abs(value))
}

/** A number of the review's unit, in the reader's spelling. */
export function figure(review: Review, value: number): string {
  return spelled(value, review.unit === 'chance')
}

/** A change, with its sign: what is better has a plus. */
export function change(review: Review, value: number): string {
  const text = figure(review, value)
  if (text === figure(review, 0)) return `±${text}`
  return `${value < 0 ? '−' : '+'}${text}`
}

/** A sum of many changes with its noise. */
export function sum(review: Review, amount: Interval): { text: string; noise: string } {
  if (amount.low <= 0 && amount.high >= 0) return { text: t('review.within-noise'), noise: '' }
  return { text: change(review, amount.value), noise: noise(review, amount) }
}

/** Half of an interval, in the reader's spelling; nothing where it is too small to be written. */
export function noise(review: Review, of: Interval): string {
  const text = figure(review, (of.high - of.low) / 2)
  return text === figure(review, 0) ? '' : `±${text}`
}

/** What there was to expect at a point, for a side: cards left, points, a chance. */
export function expected(review: Review, point: CurvePoint, side: number): string {
  const value = point.value[side]?.value ?? 0
  return t(`review.value.${review.unit}`, { text: figure(review, value) })
}

/** The chance of a perfect end, or to win, where a point has one. */
export function chanceAt(review: Review, point: CurvePoint, side: number): string {
  const found = point.chance[side]
  if (!found || review.unit === 'chance') return ''
  return t(`review.chance.${review.cooperative ? 'best' : 'win'}`, { text: spelled(found.value, true) })
}

/** What a key moment is, in a word or two. Rivals agree on nothing: what is a convention elsewhere is their style. */
export function kindOf(review: Review, moment: KeyMoment): string {
  if (moment.kind === 'convention') return t(review.cooperative ? 'review.kind.convention' : 'review.kind.style')
  if (moment.kind === 'slip') return t('review.kind.slip')
  return t(moment.amount.value < 0 ? 'review.kind.luck-bad' : 'review.kind.luck-good')
}
