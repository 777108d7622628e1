import type { GameUi } from '../../play'
import art from './art.svg?raw'
import { events } from './events'
import Mark from './Mark.svelte'
import { cardMessage } from './names'
import { paths } from './places'
import Table from './Table.svelte'

/** The page hands every table the view of its own game. */
export default {
  table: Table as unknown as GameUi['table'],
  mark: Mark,
  art,
  paths,
  events,
  card: cardMessage,
  shows: (text) => {
    const [verb = '', card, ...cells] = text.split(' ')
    if (verb === 'take') return [card === 'deck' ? 'deck' : `card:${card}`]
    return verb === 'keep'
      ? [`card:${card}`, ...cells.map((other) => `card:${other}`)]
      : cells.map((cell) => `cell:${card}:${cell}`)
  },
  moment: ({ code }) => (code.startsWith('silver-and-gold.tell.take') ? { icon: 'i-cards', mood: 'good' } : null),
  heads: ({ code }) => code === 'silver-and-gold.chance.expedition',
} satisfies GameUi
