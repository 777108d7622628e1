/** What happens in Silencio: how much it matters, and which cards travel. */
import type { GameEvents, Importance } from '../../playback'
import { seatOf } from '../../i18n/messages'

const MATTERS: Record<string, Importance> = {
  'chance.deal': 0,
  'chance.oracle': 0,
  'tell.skip': 0,
  'tell.end': 0,
  'tell.pass': 2,
  'tell.shrine': 2,
  'tell.shrine-large': 2,
  'tell.stuck': 2,
  'tell.high': 2,
  'tell.avoid': 2,
}

export const events: GameEvents = {
  importance: ({ code }) => MATTERS[code.replace('silencio.', '')] ?? 1,
  travels({ code, params }) {
    const [who, to] = [seatOf(params?.who), seatOf(params?.seat)]
    if (code === 'silencio.tell.send' && to !== null) return [{ from: 'oracle', to: `seat:${to}`, face: 'up' }]
    if (code === 'silencio.tell.trade' && who !== null && to !== null)
      return [
        { from: `seat:${who}`, to: `seat:${to}`, face: 'down' },
        { from: `seat:${to}`, to: `seat:${who}`, face: 'down' },
      ]
    return []
  },
}
