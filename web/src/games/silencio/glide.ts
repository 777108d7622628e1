/** Cards glide from where they were to where they are now: out:send and in:receive with the card's name as key.
 *
 *  A card that was drawn nowhere before (hidden in a hand, or in the deck) travels from there, face down until half-way.
 */
import { cubicInOut, cubicOut } from 'svelte/easing'
import type { TransitionConfig } from 'svelte/transition'
import { seatOf } from '../../i18n/messages'
import { crossing } from '../../parts/crossing'
import type { LogLine } from '../../play'
import { settings } from '../../settings.svelte'
import { cardOf } from './paths'

export const glide = (): number => (settings.still ? 0 : 320)
const TRAVEL = 640 // milliseconds from a hand to its place

const origins = new Map<string, string>() // card -> the data-place that it comes from
let last = -1 // key of the last line that was read

/** Notes where cards come from, before the table that they arrive at is drawn. */
export function follow(log: readonly LogLine[]): void {
  if ((log.at(-1)?.key ?? -1) < last) last = -1 // another match
  let drawer: number | null = null
  for (const { message, key } of log) {
    const who = seatOf(message.params?.who)
    if (message.code === 'silencio.tell.draw') drawer = who
    if (key <= last) continue
    const card = cardOf(message.params?.card)
    if (!card) continue
    if (message.code === 'silencio.chance.draw') origins.set(card, `seat:${drawer}`)
    else if (who !== null) origins.set(card, `seat:${who}`)
    else origins.set(card, 'deck')
  }
  last = log.at(-1)?.key ?? -1
}

function travel(node: Element, key: unknown): TransitionConfig {
  const from = origins.get(String(key))
  const start = from && node.closest('[data-layout]')?.querySelector(`[data-place="${from}"]`)?.getBoundingClientRect()
  const here = node.getBoundingClientRect()
  if (!start || start.width === 0 || here.width === 0) return fade()
  const x = start.x + start.width / 2 - here.x - here.width / 2
  const y = start.y + start.height / 2 - here.y - here.height / 2
  return {
    duration: settings.still ? 0 : TRAVEL,
    easing: cubicInOut,
    css: (t, u) =>
      `position: relative; z-index: 40; transform: translate(${x * u}px, ${y * u}px) rotateY(${t < 0.5 ? 0 : (1 - t) * 60}deg); --back: ${t < 0.6 ? 1 : 0}`,
  }
}

const fade = (): TransitionConfig => ({
  duration: glide(),
  easing: cubicOut,
  css: (t) => `opacity: ${t}; transform: translateY(${(1 - t) * -8}px) scale(${0.9 + 0.1 * t})`,
})

export const [send, receive] = crossing({
  duration: glide,
  easing: cubicOut,
  fallback: (node, params, intro) => (intro ? travel(node, (params as { key?: unknown }).key) : fade()),
})
