/** Four quiet sounds, made in the moment: nothing is loaded. Off unless somebody wants them. */
import { settings } from './settings.svelte'

export type Sound = 'turn' | 'card' | 'done' | 'end'

// Each note: when it begins, how high (hertz), how long, how loud.
const NOTES: Record<Sound, readonly (readonly [number, number, number, number])[]> = {
  turn: [
    [0, 523.25, 0.22, 0.09],
    [0.11, 783.99, 0.32, 0.08],
  ],
  card: [[0, 196, 0.07, 0.05]],
  done: [[0, 392, 0.12, 0.05]],
  end: [
    [0, 392, 0.5, 0.07],
    [0.14, 493.88, 0.5, 0.06],
    [0.28, 587.33, 0.7, 0.06],
  ],
}
let audio: AudioContext | null = null

export function sound(name: Sound): void {
  if (settings.sound !== 'on') return
  try {
    audio ??= new AudioContext()
    void audio.resume()
    for (const [at, pitch, long, loud] of NOTES[name]) {
      const start = audio.currentTime + at
      const tone = audio.createOscillator()
      const volume = audio.createGain()
      tone.type = name === 'card' ? 'triangle' : 'sine'
      tone.frequency.value = pitch
      volume.gain.setValueAtTime(0, start)
      volume.gain.linearRampToValueAtTime(loud, start + 0.012)
      volume.gain.exponentialRampToValueAtTime(0.0001, start + long)
      tone.connect(volume).connect(audio.destination)
      tone.start(start)
      tone.stop(start + long)
    }
  } catch {
    // a device without sound
  }
}
