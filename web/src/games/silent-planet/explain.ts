/** What a piece of Silent Planet is and does, for whoever asks: sentences after its name. */
import { t } from '../../i18n/language.svelte'
import type { Play } from '../../play'
import type { Message } from '../../wire/protocol.gen'
import type { View } from './view.gen'

export function explain(piece: string, play: Play): (Message | string)[] {
  const view = play.view as unknown as View
  const place = view.turn === null ? undefined : view.rows[view.turn]?.places[Number(piece.slice('card:'.length)) - 1]
  if (!place) return []
  if (place.why_not) return [place.why_not]
  if (place.state === 'hint') return [t('silent-planet-table.explain.hint')]
  if (place.state !== 'down') return [t('silent-planet-table.explain.gone')]
  return [t('silent-planet-table.explain.down'), ...(place.then ? [place.then] : [])]
}
