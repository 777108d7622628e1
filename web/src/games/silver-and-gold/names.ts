/** What things are called for those who do not see them. */
import type { Held, Island } from './view.gen'
import type { Message } from '../../wire/protocol.gen'
import { t, words } from '../../i18n/language.svelte'

export const letterOf = (card: string): string => card.charAt(0) // p, o, g, s: as the sprites and colours name them

export const letterFor = (colour: string): string => (colour === 'grey' ? 's' : colour.charAt(0))

export const SIGNS: Record<string, string> = { $: 'coin', '^': 'palm', x: 'cross' }

/** "the orange 12-island" in the language of the page. */
export function cardName(island: Island): string {
  return words.say(cardMessage(island.card))
}

/** The colour of each letter, and what an island of that colour is worth. */
const COLOURS: Record<string, [string, number]> = {
  p: ['purple', 14],
  o: ['orange', 12],
  g: ['green', 10],
  s: ['grey', 8],
}

export function cardMessage(card: string): Message {
  const [colour, value] = COLOURS[letterOf(card)] ?? ['', 0]
  const params = { colour: { code: `silver-and-gold.colour.${colour}` }, number: card.slice(1), value }
  return { code: 'silver-and-gold.card', params }
}

// Every island that was seen on this page, so that a sentence can draw the one it names.
const seen = new Map<string, Island>()
export function learn(islands: readonly Island[]): void {
  for (const island of islands) seen.set(island.card, island)
}
export const islandOf = (card: string): Island | undefined => seen.get(card)

/** An island cell by cell, row by row, for those who do not see it: "Row 1: coin, free, no cell, crossed off". */
export function mapWords(island: Island, crossed: readonly string[] = []): string {
  const cell = (sign: string, x: number, y: number): string => {
    if (sign === '.') return t('silver-and-gold-table.sea')
    if (crossed.includes(`${'abcd'.charAt(x)}${y + 1}`)) return t('silver-and-gold-table.crossed')
    return SIGNS[sign] ? t(`silver-and-gold-table.sign.${SIGNS[sign]}`) : t('silver-and-gold-table.free')
  }
  return island.rows
    .map((row, y) => {
      const cells = [...row].map((sign, x) => cell(sign, x, y)).join(', ')
      return t('silver-and-gold-table.row-of', { n: y + 1, cells })
    })
    .join('. ')
}

/** A card with all that matters about it. */
export function islandName(island: Island): string {
  const signs = [...island.rows.join('')]
  const count = (sign: string): number => signs.filter((one) => one === sign).length
  const found = Object.entries(SIGNS).flatMap(([sign, name]) =>
    count(sign) ? [t(`silver-and-gold-table.signs.${name}`, { n: count(sign) })] : [],
  )
  if (island.seal) found.push(sealName(island))
  return [cardName(island), t('silver-and-gold-table.worth', { n: island.value }), ...found].join(', ')
}

export function sealName({ seal }: Island): string {
  if (!seal) return ''
  const colour = { code: `silver-and-gold.colour.${seal.colour}` }
  return t('silver-and-gold-table.seal', { n: seal.points, colour })
}

/** How many cells are still to be crossed off. */
export function going(left: number): string {
  return left ? t('silver-and-gold-table.to-go', { n: left }) : t('silver-and-gold-table.complete')
}

export function heldName(held: Held): string {
  return `${islandName(held.island)}: ${going(held.left)}`
}

/** The same with every cell. */
export const heldMap = (held: Held): string => `${heldName(held)}. ${mapWords(held.island, held.crossed)}.`
export const islandMap = (island: Island): string => `${islandName(island)}. ${mapWords(island)}.`

/** Which of two islands of the same name: "left". */
export const sideOf = (held: Held): string => t(`silver-and-gold-table.side.${held.slot}`)

/** A cell of an island: "left, b1, coin". Its card is named by the group that it is in. */
export function cellName(held: Held, cell: string): string {
  const sign = SIGNS[held.island.rows[Number(cell.charAt(1)) - 1]?.['abcd'.indexOf(cell.charAt(0))] ?? '']
  return [sideOf(held), cell, ...(sign ? [t(`silver-and-gold-table.sign.${sign}`)] : [])].join(', ')
}
