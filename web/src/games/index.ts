/** The games' tables, one line each; a table is loaded when somebody sits down at it. */
import type { GameLook } from '../play'

type Load = () => Promise<{ default: unknown }>

const LOOKS: Record<string, Load> = {
  silencio: () => import('./silencio/look'),
  'silver-and-gold': () => import('./silver-and-gold/look'),
  'zombie-city': () => import('./zombie-city/look'),
  'silent-planet': () => import('./silent-planet/look'),
}
const plain: Load = () => import('./plain/look')

/** A game's table; a game without one is played by its sentences alone. */
export async function lookOf(game: string): Promise<GameLook> {
  return (await (LOOKS[game] ?? plain)()).default as GameLook
}
