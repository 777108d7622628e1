/** Which pieces a decision of Silencio touches, in the order of tapping, and small things the table's parts share. */
import type { SeatView } from '../../play'
import { isMessage } from '../../i18n/messages'
import type { Message } from '../../wire/protocol.gen'

/** `send b6 2` is the Oracle's card, then the seat. Decisions without pieces (claim, pass, use, skip, end) are buttons. */
export function paths(text: string): readonly string[] {
  const [verb, first, second] = text.split(' ')
  switch (verb) {
    case 'play':
    case 'give':
    case 'take':
    case 'show':
    case 'exchange':
      return [`card:${first}`]
    case 'send':
      return [`card:${first}`, `seat:${second}`]
    case 'choose':
    case 'trade':
      return [`seat:${first}`]
    case 'shrine':
      return first === 'large' ? ['shrine:large', `effect:${second}`] : [`shrine:${first}`]
    case 'say':
      return second === undefined ? ['tavern', `say:${first}`] : ['tavern', `say:${first}`, `colour:${second}`]
    case 'draw':
    case 'renew':
      return [verb]
    default:
      return []
  }
}

export const COLOURS = ['red', 'blue', 'yellow', 'green'] as const
export type Colour = (typeof COLOURS)[number]
export type Letter = 'r' | 'b' | 'y' | 'g'

export const letterOf = (card: string): Letter => card.slice(0, 1) as Letter
export const rankOf = (card: string): string => card.slice(1)
export const colourOf = (card: string): Colour => COLOURS.find((colour) => colour.startsWith(letterOf(card))) ?? 'red'

/** A card as a sentence's parameter, for its name in any language. */
export function cardMessage(card: string): Message {
  return {
    code: 'silencio.card',
    params: { colour: { code: `silencio.colour.${colourOf(card)}` }, rank: rankOf(card) },
  }
}

/** The card that a sentence's parameter names; null where it is not known. */
export function cardOf(value: unknown): string | null {
  if (!isMessage(value) || value.code !== 'silencio.card') return null
  const colour = value.params?.colour
  return isMessage(colour) ? `${colour.code.charAt('silencio.colour.'.length)}${String(value.params?.rank)}` : null
}

/** The piece that a told move was about. */
export function pieceOf({ code, params }: Message): string | null {
  const card = cardOf(params?.card)
  if (card) return `card:${card}`
  if (code === 'silencio.tell.shrine-large') return 'shrine:large'
  const colour = params?.colour
  return code === 'silencio.tell.shrine' && isMessage(colour) ? `shrine:${colour.code.split('.').at(-1)}` : null
}

/** The sign of a move that is about no piece on the table. */
export function signOf({ code }: Message): string {
  const verb = code.replace('silencio.tell.', '')
  if (['trade', 'exchange', 'renew', 'take', 'send'].includes(verb)) return 'i-swap'
  if (['stuck', 'high', 'avoid'].includes(verb)) return 'i-chat'
  return verb === 'claim' ? 'i-flag' : 'i-cards'
}

export function colourMessage(colour: string): Message {
  return { code: `silencio.colour.${colour}` }
}

/** The drawing of each effect. */
export const SIGNS: Record<'light' | 'dark', Record<Colour, string>> = {
  light: { red: 'e-rl', blue: 'e-bl', yellow: 'i-eye', green: 'i-swap' },
  dark: { red: 'e-rd', blue: 'e-bd', yellow: 'e-yd', green: 'p-g' },
}

/** The others, clockwise from the one who looks; all of them for a spectator. */
export function around(seats: SeatView[], you: number | null): SeatView[] {
  if (you === null) return seats
  return [...seats.slice(you + 1), ...seats.slice(0, you)]
}

/** How many cards of a hand lie in one line: all, or as many as fit when no card is narrower than `least`. */
export function inLine(cards: number, width: number, least: number, gap: number): number {
  const most = width === 0 ? cards : Math.floor((width + gap) / (least + gap))
  return Math.max(1, Math.min(cards, most))
}
