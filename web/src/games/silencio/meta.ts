import type { GameMeta } from '../meta'

export default {
  title: 'Silencio',
  seats: 3,
  mood: {
    ground: '#fbf3e0',
    ink: '#1e2430',
    ink2: '#565a66',
    button: '#1e2430',
    onButton: '#fdf6e6',
    invite: '#eee1c6',
  },
} satisfies GameMeta
