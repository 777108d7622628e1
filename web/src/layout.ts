/** The layouts of a table, by the room it has. Every table is drawn in one of them; no game has breakpoints of its own.
 *
 *  - `portrait`: a phone or tablet held upright; the dock lies below the board.
 *  - `low`: a phone on its side; the dock stands beside the board, as high as the table.
 *  - `side`: a landscape tablet or a short screen; the dock stands beside the board, the log below it.
 *  - `desktop`: dock below the board, log beside both.
 *  - `tiny`: less than a table needs (a screen of 320 px); the table scrolls, bar and prompt stay.
 */
export const LAYOUTS = ['portrait', 'low', 'side', 'desktop', 'tiny'] as const
export type Layout = (typeof LAYOUTS)[number]

/** The layout for a table of this size in CSS pixels: the screen without the bar. */
export function layoutFor(width: number, height: number): Layout {
  if (width < 360 || height < 260) return 'tiny'
  if (width < height || width < 540) return 'portrait'
  if (height < 520) return 'low'
  return width >= 1180 && height >= 760 ? 'desktop' : 'side'
}
