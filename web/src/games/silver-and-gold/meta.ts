import type { GameMeta } from '../meta'

export default {
  title: 'Silver & Gold',
  seats: 3,
  mood: {
    ground: '#d7eae7',
    ink: '#12343a',
    ink2: '#3d5a5f',
    button: '#12525a',
    onButton: '#f2fbfa',
    invite: '#bddcd9',
  },
} satisfies GameMeta
