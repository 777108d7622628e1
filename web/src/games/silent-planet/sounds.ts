import type { GameSounds } from '../../sound'

/** Signals between the stars. */
export default {
  'tell.point': 'signal',
  'tell.nod': 'signal',
  'tell.shake': 'signal',
  'tell.shrug': 'signal',
  'tell.fingers': 'signal',
  'tell.ready': 'bell',
  'tell.up': 'card',
  'tell.complete': 'good',
  'tell.broken': 'crash',
} satisfies GameSounds
