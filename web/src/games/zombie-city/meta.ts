import type { GameMeta } from '../meta'

export default {
  title: 'Silenz: Zombie City',
  short: 'Zombie City',
  seats: 4,
  mood: {
    ground: '#1b1f24',
    ink: '#f3efe4',
    ink2: '#b3bac4',
    button: '#b6e338',
    onButton: '#1a2108',
    invite: '#333b45',
  },
} satisfies GameMeta
