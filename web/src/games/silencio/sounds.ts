import type { GameSounds } from '../../sound'

/** Stones, bells and voices. */
export default {
  'tell.claim': 'bell',
  'tell.pass': 'knock',
  'tell.shrine': 'bell',
  'tell.shrine-large': 'good',
  'tell.trade': 'slide',
  'tell.give': 'slide',
  'tell.exchange': 'slide',
  'tell.send': 'slide',
  'tell.renew': 'slide',
  'tell.stuck': 'signal',
  'tell.high': 'signal',
  'tell.avoid': 'signal',
  'tell.take': 'slide',
} satisfies GameSounds
