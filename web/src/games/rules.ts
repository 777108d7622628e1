/** The games' rules in our words, one component a game, loaded when somebody wants to read them. */
import type { Component } from 'svelte'

const FILES = import.meta.glob('./*/Rules.svelte') as Record<string, () => Promise<{ default: Component }>>

export const hasRules = (game: string): boolean => `./${game}/Rules.svelte` in FILES

/** A game's rules; null where they are not written. */
export async function rulesOf(game: string): Promise<Component | null> {
  const load = FILES[`./${game}/Rules.svelte`]
  return load ? (await load()).default : null
}
