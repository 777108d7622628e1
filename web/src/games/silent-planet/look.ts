import type { Component } from 'svelte'
import type { GameLook, Play } from '../../play'
import Mark from './Mark.svelte'
import { paths } from './paths'
import Table from './Table.svelte'

export default { table: Table as unknown as Component<{ play: Play }>, mark: Mark, paths } satisfies GameLook
