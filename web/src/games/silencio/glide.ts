/** Cards glide from where they were to where they are now: out:send and in:receive with the card's name as key. */
import { cubicOut } from 'svelte/easing'
import type { TransitionConfig } from 'svelte/transition'
import { crossing } from '../../parts/crossing'
import { settings } from '../../settings.svelte'

export const glide = (): number => (settings.still ? 0 : 320)

export const [send, receive] = crossing({
  duration: glide,
  easing: cubicOut,
  fallback: (): TransitionConfig => ({
    duration: glide(),
    easing: cubicOut,
    css: (t) => `opacity: ${t}; transform: translateY(${(1 - t) * -8}px) scale(${0.9 + 0.1 * t})`,
  }),
})
