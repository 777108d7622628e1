/** What the page says of a game before anybody sits down: read from each game's own folder. A new game is a new folder. */

export interface GameMeta {
  title: string // as its publisher writes it; the same in every language
  short?: string // for posters and bars, where there is little room
  seats: number // how many seats a table usually has
  mood: Mood
}

/** The poster's colours. */
interface Mood {
  ground: string
  ink: string
  ink2: string
  button: string
  onButton: string
  invite: string
}

function byGame<T>(files: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(files).map(([path, value]) => [path.split('/')[1] ?? '', value]))
}
const META = byGame(import.meta.glob<GameMeta>('./*/meta.ts', { eager: true, import: 'default' }))
const POSTERS = byGame(import.meta.glob<string>('./*/poster.svg', { eager: true, query: '?url', import: 'default' }))

export const shortOf = (game: string): string => META[game]?.short ?? titleOf(game)
export const titleOf = (game: string): string => META[game]?.title ?? game
export const seatsOf = (game: string): number => META[game]?.seats ?? 3
export const posterOf = (game: string): string => POSTERS[game] ?? POSTERS['plain'] ?? ''

/** The games that have a folder, by name. */
export const GAMES: readonly string[] = Object.keys(META).sort((a, b) => shortOf(a).localeCompare(shortOf(b), 'en'))

/** A mood as the style of an element: `--ground`, `--ink`, … */
export const moodOf = (game: string): string =>
  Object.entries(META[game]?.mood ?? {})
    .map(([name, colour]) => `--mood-${name.toLowerCase()}: ${colour}`)
    .join('; ')

/** The poster's colours as they are, for a picture drawn in code. */
export const moodColours = (game: string): Pick<Mood, 'ground' | 'ink' | 'ink2'> =>
  META[game]?.mood ?? { ground: '#f2ecdf', ink: '#1e2430', ink2: '#565a66' }
