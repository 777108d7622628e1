import type { GameUi } from '../../play'
import art from './art.svg?raw'
import { events } from './events'
import Mark from './Mark.svelte'
import { paths } from './places'
import Table from './Table.svelte'

/** The page hands every table the view of its own game. */
export default {
  table: Table as unknown as GameUi['table'],
  mark: Mark,
  art,
  paths,
  events,
  moment: ({ code }) => (code.startsWith('silver-and-gold.tell.take') ? { icon: 'i-cards', mood: 'good' } : null),
  heads: ({ code }) => code === 'silver-and-gold.chance.expedition',
} satisfies GameUi
