/** The games' tables, one line each; a table is loaded when somebody sits down at it. */
import type { GameUi } from '../play'

type Load = () => Promise<{ default: unknown }>

const LOOKS: Record<string, Load> = {
  silencio: () => import('./silencio/ui'),
  'silver-and-gold': () => import('./silver-and-gold/ui'),
  'zombie-city': () => import('./zombie-city/ui'),
  'silent-planet': () => import('./silent-planet/ui'),
}
const plain: Load = () => import('./plain/ui')

/** A game's table; a game without one is played by its sentences alone. */
export async function gameUi(game: string): Promise<GameUi> {
  return (await (LOOKS[game] ?? plain)()).default as GameUi
}
