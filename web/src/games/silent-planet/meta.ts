import type { GameMeta } from '../meta'

export default {
  title: 'Silent Planet',
  seats: 3,
  mood: {
    ground: '#241b3a',
    ink: '#f4eefc',
    ink2: '#bfb3d8',
    button: '#f2a65a',
    onButton: '#2a1803',
    invite: '#3d2f61',
  },
} satisfies GameMeta
