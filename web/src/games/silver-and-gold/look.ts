import type { GameLook } from '../../play'
import Mark from './Mark.svelte'
import { paths } from './places'
import Table from './Table.svelte'

// The page hands every table the view of its own game.
export default { table: Table as unknown as GameLook['table'], mark: Mark, paths } satisfies GameLook
