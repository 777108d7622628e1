import type { GameUi, Moment } from '../../play'
import type { Message } from '../../wire/protocol.gen'
import art from './art.svg?raw'
import { events } from './events'
import Mark from './Mark.svelte'
import { paths } from './paths'
import { cardMessage } from './say'
import { suggest } from './suggest'
import Table from './Table.svelte'

const MOMENTS: Record<string, Moment> = {
  'zombie-city.event.strike': { icon: 'zc-claw', mood: 'bad' },
  'zombie-city.event.out': { icon: 'zc-house', mood: 'bad' },
  'zombie-city.event.out-cards': { icon: 'zc-house', mood: 'bad' },
  'zombie-city.event.final': { icon: 'i-flag', mood: 'plain' },
  'zombie-city.chance.horde': { icon: 'zc-horde', mood: 'plain' },
}

export default {
  table: Table,
  mark: Mark,
  art,
  paths,
  events,
  card: cardMessage,
  moment: (message: Message) => MOMENTS[message.code] ?? null,
  suggest,
} satisfies GameUi
