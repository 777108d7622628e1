/** What of a game is loaded when somebody wants it: its table, its rules. */
import type { Component } from 'svelte'
import type { GameUi } from '../play'

type Load<T> = () => Promise<T>
const UIS = import.meta.glob('./*/ui.ts', { import: 'default' }) as Record<string, Load<GameUi>>
const RULES = import.meta.glob('./*/Rules.svelte', { import: 'default' }) as Record<string, Load<Component>>

/** A game's table; a game without one is played by its sentences alone. */
export async function gameUi(game: string): Promise<GameUi> {
  const load = UIS[`./${game}/ui.ts`] ?? UIS['./plain/ui.ts']
  if (!load) throw new Error(game)
  return load()
}

export const hasRules = (game: string): boolean => `./${game}/Rules.svelte` in RULES

/** A game's rules; null where they are not written. */
export async function rulesOf(game: string): Promise<Component | null> {
  return (await RULES[`./${game}/Rules.svelte`]?.()) ?? null
}
