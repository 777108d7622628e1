import type { GameLook } from '../../play'
import Table from '../plain/Table.svelte'

export default { table: Table, mark: null, paths: () => [] } satisfies GameLook
