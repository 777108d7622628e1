import type { GameLook } from '../../play'
import Mark from './Mark.svelte'
import { paths } from './paths'
import Stat from './Stat.svelte'
import Table from './Table.svelte'

export default { table: Table, mark: Mark, paths, stat: Stat } satisfies GameLook
