/** What happens in Silencio: how much it matters, and which cards travel where nobody may see their faces. */
import type { Play } from '../../play'
import type { GameEvents, Importance, Travel } from '../../playback'
import { seatOf } from '../../i18n/messages'
import { settings } from '../../settings.svelte'
import { cardOf } from './paths'

const MATTERS: Record<string, Importance> = {
  'chance.deal': 0,
  'chance.oracle': 0,
  'tell.skip': 0,
  'tell.end': 0,
  'tell.play': 2,
  'tell.pass': 2,
  'tell.shrine': 2,
  'tell.shrine-large': 2,
  'tell.stuck': 2,
  'tell.high': 2,
  'tell.avoid': 2,
}

/** Where a card that is given goes: in a trade to the other one, into the Oracle after a card was taken, else to the left. */
function receiver(line: { key: number }, who: number, { log, seats }: Play): string {
  const before = log.filter((one) => one.key < line.key).reverse()
  for (const { message } of before.slice(0, 2)) {
    const [giver, other] = [seatOf(message.params?.who), seatOf(message.params?.seat)]
    if (message.code === 'silencio.tell.exchange' && giver === who) return 'oracle'
    if (message.code === 'silencio.tell.trade') return `seat:${giver === who ? other : giver}`
  }
  return `seat:${(who + 1) % seats.length}`
}

export const events: GameEvents = {
  importance: ({ code }) => MATTERS[code.replace('silencio.', '')] ?? 1,
  /** Cards with a face glide by themselves (glide.ts), where there is motion; these go face down. */
  travels({ code, params }, line, play): Travel[] {
    const [who, other] = [seatOf(params?.who), seatOf(params?.seat)]
    if (who === null) return []
    const card = cardOf(params?.card)
    if (settings.still && card) return [{ from: `seat:${who}`, to: `card:${card}`, face: 'up' }]
    if (code === 'silencio.tell.give' && !card && line && play)
      return [{ from: `seat:${who}`, to: receiver(line, who, play), face: 'down' }]
    if (code === 'silencio.tell.trade' && other !== null)
      return [
        { from: `seat:${who}`, to: `seat:${other}`, face: 'down' },
        { from: `seat:${other}`, to: `seat:${who}`, face: 'down' },
      ]
    if (code === 'silencio.tell.renew') return [{ from: 'deck', to: 'oracle', face: 'down' }]
    return []
  },
}
