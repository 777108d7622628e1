/** What a thing on the page is, and why it cannot be used now: read from its attributes. Explain.svelte shows it.
 *
 *  `data-explain` says what something is; without it, its accessible name does. `data-why` says why it cannot be used now;
 *  without it, a piece is explained by the open choice.
 */
import type { Choice } from './choice.svelte'
import { isMessage } from './i18n/messages'
import { t, words } from './i18n/language.svelte'
import type { GameUi, Play } from './play'

const WHOLES = new Set(['region', 'group', 'log', 'dialog', 'main', 'navigation', 'list', 'status'])
const STOPS = 'body, main, dialog, header.bar, [data-region], section.ask, .scroll'

/** The accessible name of an element, as its author wrote it; empty where there is none. */
function nameOf(element: Element): string {
  const named = element.getAttribute('aria-label') ?? element.getAttribute('title')
  if (named) return named
  return [...element.children].find((child) => child.classList.contains('sr'))?.textContent?.trim() ?? ''
}

/** Whether an element can be explained by itself. */
function explains(element: Element): boolean {
  if (element.hasAttribute('data-explain') || element.hasAttribute('data-piece')) return true
  if (element.matches('input, select, textarea') || WHOLES.has(element.getAttribute('role') ?? '')) return false
  return nameOf(element) !== ''
}

/** The thing that a place on the page belongs to: the nearest note inside a piece, the piece, or the nearest named thing. */
export function explained(at: Element | null): HTMLElement | null {
  const piece = at?.closest('[data-piece]')
  const note = at?.closest('[data-explain], [data-why]')
  if (note && (!piece || piece.contains(note))) return note as HTMLElement
  if (piece) return piece as HTMLElement
  for (let one = at; one && !one.matches(STOPS); one = one.parentElement) if (explains(one)) return one as HTMLElement
  return null
}

/** All things that can be explained, for those who look around by keyboard. */
export function explainable(root: ParentNode): HTMLElement[] {
  const all = root.querySelectorAll<HTMLElement>('[data-explain], [data-why], [data-piece], [aria-label], [title]')
  return [...all].filter((one) => explained(one) === one && one.getClientRects().length > 0)
}

export interface Explanation {
  what: string
  more: string[] // further sentences: the game's own, and why it cannot be used now
}

/** What a thing is, and whether it can be used now. Null: nothing is known of it. */
export function explanationOf(element: HTMLElement, play: Play | null, ui: GameUi | null): Explanation | null {
  const holder = element.closest<HTMLElement>('[data-piece]')
  const piece = holder?.dataset.piece
  const said = element.dataset.explain || nameOf(element) || (holder ? nameOf(holder) : '')
  const [what = '', ...more] = said.split('\n').filter(Boolean)
  if (play && piece !== undefined) {
    const own = ui?.explain?.(piece, play) ?? []
    more.push(...own.map((one) => (isMessage(one) ? words.say(one, play.names) : one)))
  }
  const why = element.dataset.why || holder?.dataset.why
  if (why) more.push(...why.split('\n'))
  else if (play && piece !== undefined) more.push(...stateOf(piece, play, play.choice))
  if (!what && more.length === 0) return null
  return { what, more }
}

/** Whether a piece can be tapped now, in a sentence. */
function stateOf(piece: string, play: Play, choice: Choice): string[] {
  if (!play.live || play.view.result != null) return []
  if (choice.sending) return [t('explain.sending')]
  if (choice.staged && choice.picked.at(-1) === piece) return [t('explain.again')]
  if (choice.has(piece)) return [t('explain.picked')]
  if (choice.can(piece)) return [t('explain.can')]
  if (choice.soft(piece)) return [t('explain.instead')]
  if (choice.offers.length) return [t('explain.unasked', { ask: words.say(play.view.ask, play.names) })]
  const waits = play.view.due.filter((seat) => seat !== play.you).map((seat) => play.names[seat] ?? '')
  return waits.length ? [t('explain.waits', { names: waits.join(', ') })] : []
}
