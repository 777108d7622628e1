/** How bots are called and described. */
import { beforeAll, describe, expect, it } from 'vitest'
import { botStyle, botTitle } from '../src/i18n/bots'
import { words } from '../src/i18n/language.svelte'

const GAMES = ['silencio', 'silver-and-gold', 'zombie-city', 'silent-planet']
const KNOWN = ['random', 'gentle', 'steady', 'search', 'partner', 'learned', 'master', 'coded']
const described = (name: string) => ({ name, style: '', assumes: '' })

describe('bots in words', () => {
  beforeAll(() => words.need('web', 'bots'))

  it('compares a bot with others by the names that the page gives them', () => {
    expect(botStyle('silencio', described('gentle'))).toBe('Plays like Steady, but one decision in four is a whim.')
    expect(botStyle('silencio', described('master'))).toContain('reads like Practised')
    expect(botTitle('eager')).toBe('Eager')
  })

  it('never tells a name that the page does not have', () => {
    for (const game of GAMES)
      for (const bot of KNOWN) expect(botStyle(game, described(bot))).not.toMatch(/\b(steady|learned|master|gentle)\b/)
  })
})
