/** The palette of sounds, drawn in code: tones and noise that die away. Nothing here knows the page (tests/web/test_sound.py). */

/** A tone that may glide, or noise through a filter. */
interface Tone {
  at?: number // seconds after the beginning
  wave: OscillatorType | 'noise'
  from: number // hertz: of the tone, or of the filter's middle
  to?: number // where it glides to
  long: number // seconds until it has died away
  loud: number
  soft?: number // seconds until it is at its loudest
}

const bell = (pitch: number, at = 0, loud = 0.06): Tone[] => [
  { at, wave: 'sine', from: pitch, long: 0.9, loud },
  { at, wave: 'sine', from: pitch * 2.76, long: 0.35, loud: loud / 4 },
]

export const SOUNDS = {
  turn: [
    { wave: 'sine', from: 523.25, long: 0.22, loud: 0.09 },
    { at: 0.11, wave: 'sine', from: 783.99, long: 0.32, loud: 0.08 },
  ],
  done: [{ wave: 'sine', from: 392, long: 0.12, loud: 0.05 }],
  end: [...bell(392), ...bell(493.88, 0.14), ...bell(587.33, 0.28)],
  card: [
    { wave: 'noise', from: 2400, to: 900, long: 0.09, loud: 0.05 }, // a card on the table
    { at: 0.03, wave: 'triangle', from: 196, long: 0.07, loud: 0.04 },
  ],
  slide: [{ wave: 'noise', from: 700, to: 2200, long: 0.28, loud: 0.04, soft: 0.12 }], // cards change hands
  knock: [
    { wave: 'triangle', from: 165, to: 110, long: 0.1, loud: 0.08 },
    { at: 0.12, wave: 'triangle', from: 165, to: 110, long: 0.12, loud: 0.07 },
  ],
  bell: bell(659.25),
  good: [...bell(523.25), ...bell(659.25, 0.09), ...bell(783.99, 0.18)],
  bad: [
    { wave: 'triangle', from: 220, to: 174.6, long: 0.45, loud: 0.07 },
    { at: 0.16, wave: 'triangle', from: 174.6, to: 130.8, long: 0.6, loud: 0.06 },
  ],
  coin: [...bell(1318.5, 0, 0.035), ...bell(1568, 0.06, 0.03)],
  chalk: [
    { wave: 'noise', from: 3800, to: 3000, long: 0.07, loud: 0.03 },
    { at: 0.08, wave: 'noise', from: 3400, to: 2600, long: 0.08, loud: 0.03 },
  ],
  growl: [
    { wave: 'sawtooth', from: 78, to: 58, long: 0.5, loud: 0.05, soft: 0.12 },
    { wave: 'noise', from: 260, to: 160, long: 0.5, loud: 0.06, soft: 0.1 },
  ],
  crash: [
    { wave: 'noise', from: 1400, to: 300, long: 0.35, loud: 0.09 },
    { wave: 'triangle', from: 110, to: 55, long: 0.4, loud: 0.09 },
  ],
  shot: [{ wave: 'noise', from: 1800, to: 500, long: 0.16, loud: 0.08 }],
  signal: [
    { wave: 'sine', from: 880, to: 932, long: 0.16, loud: 0.04, soft: 0.04 },
    { at: 0.18, wave: 'sine', from: 1174.7, long: 0.24, loud: 0.04, soft: 0.04 },
  ],
} satisfies Record<string, readonly Tone[]>

export type Sound = keyof typeof SOUNDS

let hiss: AudioBuffer | null = null

function noise(at: BaseAudioContext): AudioBuffer {
  if (hiss && hiss.sampleRate === at.sampleRate) return hiss
  hiss = at.createBuffer(1, at.sampleRate, at.sampleRate)
  const data = hiss.getChannelData(0)
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1
  return hiss
}

function draw(at: BaseAudioContext, tone: Tone): void {
  const start = at.currentTime + (tone.at ?? 0)
  const end = start + tone.long
  const volume = at.createGain()
  volume.gain.setValueAtTime(0, start)
  volume.gain.linearRampToValueAtTime(tone.loud, start + (tone.soft ?? 0.012))
  volume.gain.exponentialRampToValueAtTime(0.0001, end)
  let source: OscillatorNode | AudioBufferSourceNode
  let pitch: AudioParam
  if (tone.wave === 'noise') {
    source = at.createBufferSource()
    source.buffer = noise(at)
    const filter = at.createBiquadFilter()
    filter.type = 'bandpass'
    pitch = filter.frequency
    source.connect(filter).connect(volume)
  } else {
    source = at.createOscillator()
    source.type = tone.wave
    pitch = source.frequency
    source.connect(volume)
  }
  pitch.setValueAtTime(tone.from, start)
  if (tone.to) pitch.exponentialRampToValueAtTime(tone.to, end)
  volume.connect(at.destination)
  source.start(start)
  source.stop(end)
}

/** Sounds it now. */
export function playSound(at: BaseAudioContext, name: Sound): void {
  for (const tone of SOUNDS[name]) draw(at, tone)
}
