/** What happens in Silent Planet, and how much it matters. Cards travel by themselves (glide.ts): from their row into the team. */
import { seatOf } from '../../i18n/messages'
import type { GameEvents, Importance } from '../../playback'
import { settings } from '../../settings.svelte'

const MATTERS: Record<string, Importance> = {
  'chance.deal': 0,
  'tell.place': 0,
  'tell.reveal': 0,
  'tell.ready': 0,
  'tell.row': 0,
  'tell.row-closed': 0,
  'tell.up': 2,
  'tell.complete': 2,
  'tell.broken': 2,
  'tell.nod': 2,
  'tell.shake': 2,
  'tell.shrug': 2,
  'tell.fingers': 2,
}

export const events: GameEvents = {
  importance: ({ code }) => MATTERS[code.replace('silent-planet.', '')] ?? 1,
  /** Without motion the row and the team are shown instead. */
  travels({ code, params }) {
    const who = seatOf(params?.who)
    if (!settings.still || code !== 'silent-planet.tell.up' || who === null) return []
    return [{ from: `seat:${who}`, to: 'team', face: 'up' }]
  },
}
