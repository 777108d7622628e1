import type { GameSounds } from '../../sound'

/** The street at night. */
export default {
  'chance.turn': 'knock',
  'chance.horde': 'growl',
  'event.come': 'growl',
  'event.strike': 'crash',
  'event.out': 'bad',
  'event.out-cards': 'bad',
  'event.final': 'bell',
  'tell.kill': 'shot',
  'tell.kill-city': 'shot',
  'tell.mines': 'crash',
  'tell.alarm': 'signal',
  'tell.walkie': 'signal',
  'tell.megaphone': 'signal',
  'tell.flare': 'good',
  'tell.sabotage': 'crash',
  'tell.drone': 'slide',
  'tell.surprise': 'growl',
  'tell.send': 'growl',
  'tell.noise': 'knock',
  'tell.done': null,
} satisfies GameSounds
