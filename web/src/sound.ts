/** Quiet sounds, made in the moment: nothing is loaded. Off unless somebody wants them.
 *
 *  A game's folder may have a sounds.ts: which of its sentences sounds how. Without one, turning points and moves have a sound.
 */
import type { GameUi } from './play'
import { settings } from './settings.svelte'
import { playSound, type Sound } from './synth'
import type { Message } from './wire/protocol.gen'

export type { Sound }
export type GameSounds = Record<string, Sound | null> // by the sentence's code without the game's name; null: silence

const OF_GAMES = import.meta.glob<GameSounds>('./games/*/sounds.ts', { eager: true, import: 'default' })

/** How a sentence of a game sounds; null: not at all. */
export function soundOf(game: string, message: Message, ui: GameUi | null): Sound | null {
  const own = OF_GAMES[`./games/${game}/sounds.ts`]?.[message.code.slice(game.length + 1)]
  if (own !== undefined) return own
  const moment = ui?.moment?.(message)
  if (moment) return moment.mood === 'plain' ? 'knock' : moment.mood
  return (ui?.events?.importance(message) ?? 1) > 0 ? 'card' : null
}

let audio: AudioContext | null = null

export function sound(name: Sound): void {
  if (settings.sound !== 'on') return
  try {
    audio ??= new AudioContext()
    void audio.resume()
    playSound(audio, name)
  } catch {
    // a device without sound
  }
}
