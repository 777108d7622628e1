import type { GameUi } from '../../play'
import Table from './Table.svelte'

/** A game without a table of its own is played by its sentences: nothing is tapped but buttons. */
export default { table: Table, mark: null, paths: () => [] } satisfies GameUi
