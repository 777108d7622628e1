/** What happens in Silent Planet: how much it matters, and which cards travel. */
import type { GameEvents, Importance } from '../../playback'
import { seatOf } from '../../i18n/messages'

const MATTERS: Record<string, Importance> = {
  'chance.deal': 0,
  'tell.place': 0,
  'tell.ready': 0,
  'tell.row': 0,
  'tell.row-closed': 0,
  'tell.up': 2,
  'tell.complete': 2,
  'tell.broken': 2,
}

export const events: GameEvents = {
  importance: ({ code }) => MATTERS[code.replace('silent-planet.', '')] ?? 1,
  travels({ code, params }) {
    const who = seatOf(params?.who)
    if (code !== 'silent-planet.tell.up' || who === null) return []
    return [{ from: `seat:${who}`, to: 'team', face: 'up' }]
  },
}
