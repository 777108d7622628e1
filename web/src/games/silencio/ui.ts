import type { GameUi, Moment } from '../../play'
import type { Message } from '../../wire/protocol.gen'
import art from './art.svg?raw'
import { events } from './events'
import { explain } from './explain'
import Mark from './Mark.svelte'
import { cardMessage, paths } from './paths'
import { suggest } from './suggest'
import Table from './Table.svelte'

/** Turning points: a shrine goes out, a duty draws, somebody speaks, somebody passes. */
const MOMENTS: Record<string, Moment> = {
  'silencio.tell.shrine': { icon: 'i-star', mood: 'good' },
  'silencio.tell.shrine-large': { icon: 'i-star', mood: 'good' },
  'silencio.tell.draw': { icon: 'i-again', mood: 'plain' },
  'silencio.tell.pass': { icon: 'i-no', mood: 'bad' },
  'silencio.tell.stuck': { icon: 'i-chat', mood: 'plain' },
  'silencio.tell.high': { icon: 'i-chat', mood: 'plain' },
  'silencio.tell.avoid': { icon: 'i-chat', mood: 'plain' },
}

export default {
  table: Table,
  mark: Mark,
  art,
  paths,
  events,
  explain,
  card: cardMessage,
  moment: (message: Message) => MOMENTS[message.code] ?? null,
  suggest,
} satisfies GameUi
