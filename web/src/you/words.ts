/** Days and figures of one's own page, in words. */
import { words } from '../i18n/language.svelte'

export const day = (at: number): string =>
  new Intl.DateTimeFormat(words.spoken, { day: 'numeric', month: 'short', year: 'numeric' }).format(at * 1000)

export const figure = (value: number, signed = false): string =>
  new Intl.NumberFormat(words.spoken, {
    maximumFractionDigits: 1,
    signDisplay: signed ? 'exceptZero' : 'auto',
  }).format(value)
