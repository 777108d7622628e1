/** Cards glide from where they lay to where they lie now: from display or deck to a seat, from a seat to its finished cards. */
import { flip, type AnimationConfig } from 'svelte/animate'
import { cubicOut } from 'svelte/easing'
import type { TransitionConfig } from 'svelte/transition'
import { settings } from '../../settings.svelte'

const rects = new Map<string, DOMRect>()

/** Remember where every card lies, before the table is drawn anew. */
export function remember(root: HTMLElement | undefined): void {
  rects.clear()
  for (const node of root?.querySelectorAll<HTMLElement>('[data-card]') ?? [])
    if (node.dataset.card) rects.set(node.dataset.card, node.getBoundingClientRect())
}

/** A card that was not here before comes from where it lay, or else from the deck. */
export function arrive(node: HTMLElement, card: string): TransitionConfig {
  const from = rects.get(card) ?? rects.get('deck')
  const to = node.getBoundingClientRect()
  if (settings.still || !from || !from.width || !to.width) return { duration: 0 }
  const [dx, dy, scale] = [from.left - to.left, from.top - to.top, from.width / to.width]
  return {
    duration: 320,
    easing: cubicOut,
    css: (_, u) =>
      `transform-origin: 0 0; transform: translate(${dx * u}px, ${dy * u}px) scale(${1 + (scale - 1) * u}); z-index: 4; position: relative`,
  }
}

/** A card that stays makes room for the others. */
export function shift(node: Element, { from, to }: { from: DOMRect; to: DOMRect }): AnimationConfig {
  if (settings.still || !from.width || !to.width) return { duration: 0 } // out of sight there is nothing to move
  return flip(node, { from, to }, { duration: 320 })
}
