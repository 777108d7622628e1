import type { GameLook } from '../../play'
import Mark from './Mark.svelte'
import { paths } from './paths'
import Table from './Table.svelte'

export default { table: Table, mark: Mark, paths } satisfies GameLook
