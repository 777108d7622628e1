import type { Component } from 'svelte'
import type { GameUi, Moment, Play } from '../../play'
import art from './art.svg?raw'
import { events } from './events'
import { explain } from './explain'
import Mark from './Mark.svelte'
import { cardMessage } from './names'
import { paths } from './paths'
import Table from './Table.svelte'

const MOMENTS: Record<string, Moment> = {
  'silent-planet.tell.complete': { icon: 'sp-star', mood: 'good' },
  'silent-planet.tell.broken': { icon: 'i-cross', mood: 'bad' },
}

export default {
  table: Table as unknown as Component<{ play: Play }>,
  mark: Mark,
  art,
  paths,
  events,
  explain,
  card: cardMessage,
  moment: (message) => MOMENTS[message.code] ?? null,
} satisfies GameUi
