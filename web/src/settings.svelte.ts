/** What a person has chosen for this device. It stays here. */
import { PACES, type Pace } from './playback'
import { LANGUAGES, type Language } from './i18n/languages'

export type Theme = 'system' | 'light' | 'dark'
export type Motion = 'system' | 'full' | 'none'
export type CardSize = 'small' | 'usual' | 'large'

interface Chosen {
  language: Language
  theme: Theme
  motion: Motion
  sound: 'off' | 'on'
  cards: CardSize
  pace: Pace // how fast what happens is shown
  notices: 'off' | 'on' // of the system, when it is your turn and the page is hidden
  guide: 'on' | 'off' // the first-match guide
  bot: string // which bots to play with, where a game has them
  name: string
}

const KEY = 'tacit-settings'

function preferred(): Language {
  for (const tag of navigator.languages ?? []) {
    const short = tag.slice(0, 2)
    if (short in LANGUAGES) return short as Language
  }
  return 'en'
}

function stored(): Partial<Chosen> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof found === 'object' && found !== null ? (found as Partial<Chosen>) : {}
  } catch {
    return {} // no storage, or invalid content: use the defaults
  }
}

class Settings implements Chosen {
  language = $state<Language>('en')
  theme = $state<Theme>('system')
  motion = $state<Motion>('system')
  sound = $state<'off' | 'on'>('off')
  cards = $state<CardSize>('usual')
  pace = $state<Pace>('normal')
  notices = $state<'off' | 'on'>('off')
  guide = $state<'on' | 'off'>('on')
  bot = $state('steady')
  name = $state('')

  constructor() {
    Object.assign(this, { language: preferred() }, stored())
    if (!(this.language in LANGUAGES)) this.language = 'en'
    if (!PACES.includes(this.pace)) this.pace = 'normal'
    this.show()
  }

  /** Change some, keep them, and show them. */
  choose(some: Partial<Chosen>): void {
    Object.assign(this, some)
    const { language, theme, motion, sound, cards, pace, notices, guide, bot, name } = this
    const chosen: Chosen = { language, theme, motion, sound, cards, pace, notices, guide, bot, name }
    try {
      localStorage.setItem(KEY, JSON.stringify(chosen))
    } catch {
      // a browser that keeps nothing: it holds until the page is closed
    }
    this.show()
  }

  show(): void {
    const root = document.documentElement
    if (this.theme === 'system') delete root.dataset.theme
    else root.dataset.theme = this.theme
    root.dataset.motion = this.motion
    root.dataset.cards = this.cards
  }

  get still(): boolean {
    return (
      this.motion === 'none' || (this.motion === 'system' && matchMedia('(prefers-reduced-motion: reduce)').matches)
    )
  }
}

export const settings = new Settings()
