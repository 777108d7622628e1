/** Who decided for a seat, in words. */
import { beforeAll, describe, expect, it } from 'vitest'
import { playedNote, spanAt, standIn } from '../src/played'
import { settings } from '../src/settings.svelte'
import { seatView } from '../src/table.svelte'
import type { Span } from '../src/wire/protocol.gen'
import { words } from '../src/i18n/language.svelte'

const span = (first: number, last: number, kind: Span['kind'], bot: string | null = null): Span => ({
  first,
  last,
  kind,
  bot,
})
const ben = [span(2, 30, 'person'), span(31, 64, 'bot', 'steady')]

describe('who decided for a seat', () => {
  beforeAll(() => words.need('web'))

  it('is not said where the person did', () => {
    expect(playedNote('Ben', [])).toBe('')
    expect(playedNote('Ben', [span(1, 64, 'person')])).toBe('')
    expect(playedNote('Ben', [span(1, 64, 'client')])).toBe('')
  })

  it('is said with from when to when', () => {
    expect(playedNote('Ben', ben)).toBe('Ben, from move 31 on played by Steady')
    expect(playedNote('Ben', [...ben, span(70, 80, 'person')])).toBe('Ben, moves 31–64 played by Steady')
    expect(playedNote('Ben', [span(1, 64, 'bot', 'steady')])).toBe('Ben, played by Steady from the start')
    expect(playedNote('Robo', [span(1, 64, 'program')])).toBe('Robo, a program')
    const late = [span(1, 9, 'person'), span(12, 12, 'clock', 'random'), span(20, 30, 'person')]
    expect(playedNote('Ben', late)).toBe('Ben, move 12 decided by Random, when time ran out')
    const often = [1, 5, 9, 13].flatMap((n) => [span(n, n, 'person'), span(n + 2, n + 2, 'bot', 'steady')])
    expect(playedNote('Ben', often)).toBe('Ben, played by Steady several times')
  })

  it('is said in three languages', async () => {
    const said: string[] = []
    for (const language of ['de', 'nl', 'en'] as const) {
      settings.choose({ language })
      await words.speak(language)
      said.push(playedNote('Ben', ben))
    }
    expect(said).toEqual([
      'Ben, ab Zug 31 gespielt von Bedacht',
      'Ben, vanaf zet 31 gespeeld door Bedachtzaam',
      'Ben, from move 31 on played by Steady',
    ])
  })

  it('stands on the plate as it is at the moment', () => {
    expect(standIn(spanAt(ben, 30))).toBeNull()
    expect(standIn(spanAt(ben, 31))).toBe('Steady')
    expect(standIn(spanAt(ben, 999))).toBe('Steady')
    expect(spanAt(ben, 1)).toBeNull()
    const look = (more: object) => seatView({ kind: 'person', name: 'Ben', ...more }, 1, 0, [])
    expect(look({ sitting_in: 'steady' })).toMatchObject({ by: 'Steady', kind: 'bot', note: '' })
    expect(look({ played: ben })).toMatchObject({ by: 'Steady', note: 'Ben, from move 31 on played by Steady' })
    expect(look({ client: 'program' }).by).toBe('a program')
    expect(look({ client: 'person' }).by).toBeNull()
    expect(seatView({ kind: 'bot', bot: 'steady', played: ben }, 1, 0, [])).toMatchObject({ by: null, note: '' })
  })
})
