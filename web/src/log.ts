/** The log as a story: what was dealt is folded, each turn is a chapter, and a game's own headings stand above all. */
import { seatOf } from './i18n/messages'
import type { LogLine } from './play'
import type { Message } from './wire/protocol.gen'

export interface Entry extends LogLine {
  times: number // the same sentence, so often in a row
}

export interface Chapter {
  key: number
  kind: 'dealt' | 'heading' | 'turn' | 'lines' // `lines`: before the first turn
  seat: number | null // whose turn
  lines: Entry[] // of a heading: the heading itself
}

export interface Telling {
  dealing(message: Message): boolean // true for dealt cards, which are folded
  heads?: ((message: Message) => boolean) | undefined // the game's own headings
}

const same = (a: LogLine, b: LogLine): boolean => JSON.stringify(a.message) === JSON.stringify(b.message)

/** Lines in chapters, oldest first. A turn lasts until another seat acts; what comes of it belongs to it. */
export function chaptersOf(lines: readonly LogLine[], { dealing, heads }: Telling): Chapter[] {
  const chapters: Chapter[] = []
  const begin = (kind: Chapter['kind'], line: LogLine, seat: number | null = null): void => {
    chapters.push({ key: line.key, kind, seat, lines: [{ ...line, times: 1 }] })
  }
  for (const line of lines) {
    const last = chapters.at(-1)
    const who = seatOf(line.message.params?.who)
    const kind = heads?.(line.message) ? 'heading' : dealing(line.message) ? 'dealt' : who !== null ? 'turn' : 'lines'
    const goes = kind === 'lines' ? last?.kind === 'turn' || last?.kind === 'lines' : last?.kind === kind
    if (!last || !goes || kind === 'heading' || (kind === 'turn' && last.seat !== who)) begin(kind, line, who)
    else {
      const before = last.lines.at(-1)
      if (before && same(before, line)) before.times += 1
      else last.lines.push({ ...line, times: 1 })
    }
  }
  return chapters
}
