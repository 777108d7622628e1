/** What happens in Silver & Gold: how much it matters, and which cards move. */
import type { GameEvents, Importance, Travel } from '../../playback'
import { isMessage, seatOf } from '../../i18n/messages'
import { letterFor } from './names'

const MATTERS: Record<string, Importance> = {
  'chance.deal': 0,
  'chance.show': 0,
  'chance.start': 0,
  'tell.keep': 0,
  'chance.expedition': 2,
  'tell.take': 2,
  'tell.take-deck': 2,
}

export const events: GameEvents = {
  importance: ({ code }) => MATTERS[code.replace('silver-and-gold.', '')] ?? 1,
  travels({ code, params }): Travel[] {
    const seat = seatOf(params?.who) ?? seatOf(params?.seat)
    const to = `seat:${seat}`
    if (code.endsWith('.show')) return [{ from: 'deck', to: 'display', face: 'down' }]
    if (seat === null) return []
    if (code.endsWith('.deal') || code.endsWith('.take-deck')) return [{ from: 'deck', to, face: 'down' }]
    if (!code.endsWith('.take') || !isMessage(params?.card)) return []
    const { colour } = params.card.params ?? {}
    const letter = isMessage(colour) ? letterFor(colour.code.split('.').at(-1) ?? '') : 'p'
    return [{ from: 'display', to, face: 'up', art: `c-${letter}` }]
  },
}
