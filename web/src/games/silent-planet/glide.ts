/** A card that is turned up glides from its place in a row into the team. */
import { cubicOut } from 'svelte/easing'
import type { TransitionConfig } from 'svelte/transition'
import { settings } from '../../settings.svelte'

const seen = new Map<string, DOMRect>()

/** Remembers where every place of every row is drawn; called before the table changes. */
export function remember(root: HTMLElement): void {
  for (const place of root.querySelectorAll<HTMLElement>('[data-at]')) {
    seen.set(place.dataset.at ?? '', place.getBoundingClientRect())
  }
}

export function arrive(node: HTMLElement, { from }: { from: string }): TransitionConfig {
  const old = seen.get(from)
  if (!old || settings.still) return { duration: 0 }
  const here = node.getBoundingClientRect()
  const scale = old.width / (here.width || 1)
  const x = old.left + old.width / 2 - here.left - here.width / 2
  const y = old.top + old.height / 2 - here.top - here.height / 2
  return {
    duration: 460,
    easing: cubicOut,
    css: (_, u) =>
      `z-index: 4; transform: translate(${x * u}px, ${y * u}px) scale(${1 + (scale - 1) * u}) rotateY(${u * 86}deg)`,
  }
}

/** A team that is over sinks out of sight when the next one begins. */
export function sink(_node: HTMLElement): TransitionConfig {
  return { duration: settings.still ? 0 : 380, css: (t, u) => `opacity: ${t}; transform: translateY(${u * 26}px)` }
}
