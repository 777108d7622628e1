import type { GameMeta } from '../meta'

export default {
  title: 'Toy',
  seats: 2,
  mood: { ground: '#fff', ink: '#111', ink2: '#444', button: '#111', onButton: '#fff', invite: '#ddd' },
} satisfies GameMeta
