/** The language of the page, and the catalogues that speak it. */
import { untrack } from 'svelte'
import { settings } from '../settings.svelte'
import type { Message } from '../wire/protocol.gen'
import type { Language } from './languages'
import { render, segments, type Catalogue, type Catalogues, type Names, type Segment } from './messages'

type Load = () => Promise<{ default: Catalogue }>
const FILES: Record<string, Load> = {
  ...(import.meta.glob('./{en,de,nl}.json') as Record<string, Load>),
  ...(import.meta.glob('../games/*/{en,de,nl}.json') as Record<string, Load>),
  ...(import.meta.glob('../../../src/tacit/{core,server,bots,review}/{en,de,nl}.json') as Record<string, Load>),
  ...(import.meta.glob('../../../src/tacit/games/*/{en,de,nl}.json') as Record<string, Load>),
  ...(import.meta.glob('../../../src/tacit/games/*/lessons/{en,de,nl}.json') as Record<string, Load>),
}

const LESSON = '-lesson'

/** Where the sentences with a prefix lie: `silencio` in the game's own folder, `silencio-lesson` in its lessons,
 *  `silencio-table` beside its table.
 */
function file(prefix: string, language: Language): string {
  if (prefix === 'web') return `./${language}.json`
  if (prefix.endsWith('-table')) return `../games/${prefix.slice(0, -6)}/${language}.json`
  if (['core', 'server', 'bots', 'review'].includes(prefix)) return `../../../src/tacit/${prefix}/${language}.json`
  const [game, folder] = prefix.endsWith(LESSON) ? [prefix.slice(0, -LESSON.length), 'lessons/'] : [prefix, '']
  return `../../../src/tacit/games/${game.replaceAll('-', '_')}/${folder}${language}.json`
}

/** A game that the page was built without: the server knows its sentences. */
async function foreign(prefix: string, language: Language): Promise<Catalogue> {
  if (prefix.endsWith('-table')) return {}
  const answer = await fetch(`/api/words/${language}`).catch(() => null)
  const all = answer?.ok ? ((await answer.json()) as Catalogues) : {}
  return all[prefix] ?? {}
}

class Words {
  spoken = $state<Language>('en')
  catalogues = $state.raw<Catalogues>({})
  #prefixes = new Set<string>()

  /** Makes the sentences with these prefixes ready, in the language of the settings. */
  async need(...prefixes: string[]): Promise<void> {
    for (const prefix of prefixes) this.#prefixes.add(prefix)
    await this.speak(untrack(() => settings.language))
  }

  /** Everything on the page in another language. */
  async speak(language: Language): Promise<void> {
    // Untracked: an effect that waits for words must not restart each time some arrive.
    const known = untrack(() => (language === this.spoken ? this.catalogues : {}))
    const missing = [...this.#prefixes].filter((prefix) => !(prefix in known))
    const found = await Promise.all(
      missing.map(async (prefix) => {
        const load = FILES[file(prefix, language)] ?? FILES[file(prefix, 'en')]
        return [prefix, load ? (await load()).default : await foreign(prefix, language)] as const
      }),
    )
    if (language !== settings.language) return // another one was chosen meanwhile
    document.documentElement.lang = language
    if (language === this.spoken && found.length === 0) return
    this.catalogues = { ...(language === this.spoken ? this.catalogues : {}), ...Object.fromEntries(found) }
    this.spoken = language
  }

  /** Whether a sentence exists: t() of one that does not shows its code. */
  has(code: string): boolean {
    const dot = code.indexOf('.')
    return code.slice(dot + 1) in (this.catalogues[code.slice(0, dot)] ?? {})
  }

  say(message: Message, names: Names = []): string {
    return render(message, this.catalogues, names)
  }

  pieces(message: Message, names: Names = []): Segment[] {
    return segments(message, this.catalogues, names)
  }
}

export const words = new Words()

/** A sentence of the page's own: t('home.title'), or of a table: t('silencio-table.oracle'). */
export function t(code: string, params: Record<string, unknown> = {}): string {
  const prefix = code.split('.', 1)[0] ?? ''
  const known = prefix === 'web' || prefix === 'bots' || prefix.endsWith('-table') || prefix.endsWith(LESSON)
  return words.say({ code: known ? code : `web.${code}`, params })
}
