// @vitest-environment node
/** The page turns messages into the same words as the server: tests/web/test_words.py holds Python to the same examples. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Message } from '../src/wire/protocol.gen'
import { render, segments, type Catalogue, type Catalogues } from '../src/i18n/messages'

interface Example {
  language: string
  message: Message
  names: string[]
  says: string
}
const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T
const speak = (language: string): Catalogues =>
  Object.fromEntries(['core', 'server'].map((room) => [room, read<Catalogue>(`../src/tacit/${room}/${language}.json`)]))

describe('messages', () => {
  it.each(read<Example[]>('tests/examples.json'))('$language: $says', ({ language, message, names, says }) => {
    expect(render(message, speak(language), names)).toBe(says)
  })

  it('keeps the things that a sentence names apart, so that they can be drawn', () => {
    const seat = { code: 'core.seat', params: { seat: 1 } }
    const words = { x: { pass: '{who} passes.' }, core: { seat: 'seat {seat}' } }
    expect(segments({ code: 'x.pass', params: { who: seat } }, words, ['Ada', 'ben'])).toEqual([
      { text: 'Ben', of: seat },
      { text: ' passes.', of: null },
    ])
    expect(render({ code: 'x.pass', params: { who: seat } }, words)).toBe('Seat 1 passes.')
  })

  it('shows the code of a sentence that is missing, and never throws', () => {
    expect(render({ code: 'silencio.no.such' }, {})).toBe('⟨silencio.no.such⟩')
    expect(render({ code: 'nothing' }, {})).toContain('nothing')
  })
})
