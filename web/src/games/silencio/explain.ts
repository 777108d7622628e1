/** What a piece of Silencio is and does, for whoever asks: sentences after its name. */
import { t } from '../../i18n/language.svelte'
import type { Play } from '../../play'
import type { Message } from '../../wire/protocol.gen'
import { COLOURS, colourOf } from './paths'
import type { OwnCard, View } from './view.gen'

export function explain(piece: string, play: Play): (Message | string)[] {
  const view = play.view as View
  const [kind, what = ''] = piece.split(':')
  switch (kind) {
    case 'card':
      return ofCard(what, view)
    case 'shrine': {
      const gives = COLOURS.find((colour) => colour === what)
      const lit = gives ? view.rows.find((row) => row.colour === gives)?.lit : view.large_lit
      const effect = t(gives ? `silencio-table.effect.${gives}` : 'silencio-table.explain.large')
      return lit ? [effect, t('silencio-table.explain.shrine')] : [t('silencio-table.explain.unlit')]
    }
    case 'tavern':
      return [t('silencio-table.explain.tavern')]
    case 'seat':
      return [t('silencio-table.explain.seat')]
    case 'renew':
      return [t('silencio-table.explain.oracle')]
    default:
      return []
  }
}

function ofCard(card: string, view: View): (Message | string)[] {
  const own: OwnCard | undefined = [...view.hand, ...view.table.flatMap((seat) => seat.up)].find(
    (one) => one.card === card,
  )
  const effects = (['light', 'dark'] as const).map((shade) => t(`silencio-table.explain.${shade}.${colourOf(card)}`))
  if (view.rows.some((row) => row.cards.some((laid) => laid.card === card))) return effects
  if (view.oracle.includes(card)) return [t('silencio-table.explain.oracle'), ...effects]
  if (!own) return effects
  if (own.why_not) return [own.why_not]
  if (own.lands && own.effect) return [t(`silencio-table.lands.${own.lands}`, { effect: own.effect })]
  return effects
}
