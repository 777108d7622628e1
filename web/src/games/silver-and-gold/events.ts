/** What happens in Silver & Gold: how much it matters. */
import type { GameEvents, Importance } from '../../playback'

const MATTERS: Record<string, Importance> = {
  'chance.deal': 0,
  'chance.show': 0,
  'chance.start': 0,
  'tell.keep': 0,
  'chance.expedition': 2,
  'tell.take': 2,
  'tell.take-deck': 2,
}

export const events: GameEvents = {
  importance: ({ code }) => MATTERS[code.replace('silver-and-gold.', '')] ?? 1,
}
