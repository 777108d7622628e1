/** Sentences are codes with parameters; a catalogue turns them into words. The same rules as tacit.core.messages. */
import type { Message } from '../wire/protocol.gen'

export type Template = string | { one: string; other: string }
export type Catalogue = Record<string, Template>
export type Catalogues = Record<string, Catalogue>

/** A sentence in pieces: plain text, and the things it names (a seat, a card), so that a page can draw them. */
export type Segment = { text: string; of: Message | null }

/** The names of the seats, and which of them is spoken to: its sentences say "you" where the catalogue has such a sentence. */
export type Names = readonly string[] & { readonly you?: number | null }

export function namesFor(names: readonly string[], you: number | null): string[] & Names {
  return Object.assign([...names], { you })
}

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && typeof (value as Message).code === 'string'
}

export function seatOf(message: unknown): number | null {
  if (!isMessage(message) || message.code !== 'core.seat') return null
  const seat = message.params?.seat
  return typeof seat === 'number' ? seat : null
}

/** A table's own sentence instead of the game's: `you.tell.kill` where you act, `at-you.tell.drone` where somebody does it to
 *  you, `page.tell.mark` for everybody, where the page shows what words would have to say.
 */
function ofTable(message: Message, catalogues: Catalogues, you: number | null | undefined): Template | undefined {
  const dot = message.code.indexOf('.')
  const own = catalogues[`${message.code.slice(0, dot)}-table`]
  if (!own) return undefined
  const params = message.params ?? {}
  const [who, seat] = [seatOf(params.who), seatOf(params.seat ?? params.to ?? params.nearest)]
  const kind = you == null ? null : (who ?? seat) === you ? 'you' : seat === you ? 'at-you' : null
  return (kind === null ? undefined : own[kind + message.code.slice(dot)]) ?? own[`page${message.code.slice(dot)}`]
}

function template(message: Message, catalogues: Catalogues, you?: number | null): string {
  const dot = message.code.indexOf('.')
  const found =
    ofTable(message, catalogues, you) ?? catalogues[message.code.slice(0, dot)]?.[message.code.slice(dot + 1)]
  if (found === undefined) return `⟨${message.code}⟩`
  if (typeof found === 'string') return found
  return message.params?.n === 1 ? found.one : found.other
}

/** A number as the language writes it: 1.5, or 1,5. */
function spelled(value: number, catalogues: Catalogues): string {
  return String(value).replace('.', String(catalogues.core?.decimal ?? '.'))
}

export function segments(message: Message, catalogues: Catalogues, names: Names = []): Segment[] {
  const seat = seatOf(message)
  const name = seat === null ? undefined : names[seat]
  if (name !== undefined) return [{ text: name, of: message }]
  const pattern = template(message, catalogues, names.you)
  const out: Segment[] = []
  for (const piece of pattern.split(/(\{\w+\})/)) {
    if (piece === '') continue
    const key = /^\{(\w+)\}$/.exec(piece)?.[1]
    const value = key === undefined ? piece : (message.params?.[key] ?? '')
    if (isMessage(value)) out.push({ text: render(value, catalogues, names), of: value })
    else out.push({ text: typeof value === 'number' ? spelled(value, catalogues) : String(value), of: null })
  }
  const first = out[0]
  const last = out.at(-1)
  if (first && last && pattern.startsWith('{') && /[.!?]$/.test(last.text)) {
    first.text = first.text.slice(0, 1).toUpperCase() + first.text.slice(1)
  }
  return out
}

export function render(message: Message, catalogues: Catalogues, names: Names = []): string {
  return segments(message, catalogues, names)
    .map((segment) => segment.text)
    .join('')
}
