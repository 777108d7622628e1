/** Sentences are codes with parameters; a catalogue turns them into words. The same rules as tacit.core.messages. */
import type { Message } from '../wire/protocol.gen'

export type Template = string | { one: string; other: string }
export type Catalogue = Record<string, Template>
export type Catalogues = Record<string, Catalogue>

/** A sentence in pieces: plain text, and the things it names (a seat, a card), so that a page can draw them. */
export type Segment = { text: string; of: Message | null }

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && typeof (value as Message).code === 'string'
}

export function seatOf(message: unknown): number | null {
  if (!isMessage(message) || message.code !== 'core.seat') return null
  const seat = message.params?.seat
  return typeof seat === 'number' ? seat : null
}

function template(message: Message, catalogues: Catalogues): string {
  const dot = message.code.indexOf('.')
  const found = catalogues[message.code.slice(0, dot)]?.[message.code.slice(dot + 1)]
  if (found === undefined) return `⟨${message.code}⟩`
  if (typeof found === 'string') return found
  return message.params?.n === 1 ? found.one : found.other
}

export function segments(message: Message, catalogues: Catalogues, names: readonly string[] = []): Segment[] {
  const seat = seatOf(message)
  const name = seat === null ? undefined : names[seat]
  if (name !== undefined) return [{ text: name, of: message }]
  const pattern = template(message, catalogues)
  const out: Segment[] = []
  for (const piece of pattern.split(/(\{\w+\})/)) {
    if (piece === '') continue
    const key = /^\{(\w+)\}$/.exec(piece)?.[1]
    const value = key === undefined ? piece : (message.params?.[key] ?? '')
    if (isMessage(value)) out.push({ text: render(value, catalogues, names), of: value })
    else out.push({ text: String(value), of: null })
  }
  const first = out[0]
  const last = out.at(-1)
  if (first && last && pattern.startsWith('{') && /[.!?]$/.test(last.text)) {
    first.text = first.text.slice(0, 1).toUpperCase() + first.text.slice(1)
  }
  return out
}

export function render(message: Message, catalogues: Catalogues, names: readonly string[] = []): string {
  return segments(message, catalogues, names)
    .map((segment) => segment.text)
    .join('')
}
