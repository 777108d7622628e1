/** How things move: a zombie or a survivor glides from where it was seen last to where it is now. */
import { cubicOut } from 'svelte/easing'
import type { TransitionConfig } from 'svelte/transition'
import { crossing } from '../../parts/crossing'
import { settings } from '../../settings.svelte'

const long = (ms: number): number => (settings.still ? 0 : ms)

export const [send, receive] = crossing({
  duration: () => long(420),
  easing: cubicOut,
  fallback: () => ({ duration: long(260), css: (t) => `opacity: ${t}; pointer-events: none` }),
})

/** A window goes dark: claws cross it, then the light is out. `--gone` is drawn by the window itself. */
export function darken(_: Element, { at }: { at: number }): TransitionConfig {
  return { delay: long(at * 90), duration: long(650), css: (t) => `--gone: ${1 - t}` }
}

/** A City card turns in place. */
export function turn(_: Element): TransitionConfig {
  return { duration: long(240), css: (t) => `transform: perspective(500px) rotateY(${(1 - t) * 90}deg)` }
}

/** How long a card needs to its new place. */
export const glide = (): number => long(320)
