import type { GameSounds } from '../../sound'

/** Chalk on a chart, and coins. */
export default {
  'chance.expedition': 'slide',
  'tell.mark': 'chalk',
  'tell.cross': 'chalk',
  'tell.bonus': 'chalk',
  'tell.take': 'coin',
  'tell.take-deck': 'coin',
} satisfies GameSounds
