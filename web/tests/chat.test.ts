/** Words belong to whoever said them, and silent games are silent only while they are played. */
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import Chat from '../src/parts/Chat.svelte'
import { seatView } from '../src/table.svelte'
import { Live } from '../src/wire/live.svelte'
import type { Said, Table } from '../src/wire/protocol.gen'
import { words } from '../src/i18n/language.svelte'

const room: { line: Live | null } = { line: null }
vi.mock('../src/tableContext.svelte', () => ({ tableContext: () => room }))

const table = (phase: Table['phase'], silent: boolean): Table => ({
  type: 'table',
  table: 'T',
  game: 'toy',
  options: {},
  phase,
  seats: [
    { kind: 'person', name: 'Ada', person: 'a' },
    { kind: 'person', name: 'Ben', person: 'b' },
  ],
  visibility: 'private',
  spectators: 'none',
  clock: null,
  silent,
  grace: 60,
})
const said = (number: number, name: string | null, person: string | null, text: string): Said => ({
  type: 'said',
  number,
  seat: 1,
  name,
  person,
  text,
})

describe('chat', () => {
  beforeAll(() => words.need('web'))
  beforeEach(() => {
    vi.stubGlobal(
      'WebSocket',
      class {
        close = () => undefined
      },
    )
    Element.prototype.scrollTo = () => undefined
    room.line = new Live('T')
  })
  afterEach(() => {
    room.line?.close()
    vi.unstubAllGlobals()
  })

  it('is open but for the match of a silent game', () => {
    const line = room.line as Live
    const open = (phase: Table['phase'], silent: boolean): boolean => {
      line.table = table(phase, silent)
      return line.chatting
    }
    expect((['gathering', 'playing', 'over'] as const).map((phase) => open(phase, true))).toEqual([true, false, true])
    expect((['gathering', 'playing', 'over'] as const).map((phase) => open(phase, false))).toEqual([true, true, true])
  })

  it('names who said it, not who sits there now', () => {
    const line = room.line as Live
    line.table = table('gathering', false)
    line.seat = 0
    line.said.set(1, said(1, 'Mallory', 'm', 'I cheat.'))
    line.said.set(2, said(2, 'Ben', 'b', 'Hello.'))
    line.said.set(3, said(3, 'Ada', 'a', 'Hi.'))
    line.said.set(4, said(4, null, null, 'Long ago.'))
    line.muted.add('b')
    render(Chat, { seats: line.table.seats.map((info, i) => seatView(info, i, 0, [])) })
    const lines = screen.getAllByRole('listitem').map((one) => one.textContent?.replace(/\s+/g, ' ').trim())
    expect(lines.map((one) => one?.replace(/^[A-Z] /, ''))).toEqual([
      'Mallory I cheat.',
      'You Hi.',
      'Somebody Long ago.',
    ])
  })
})
