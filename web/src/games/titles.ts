/** The games' names, as their publishers write them. They are the same in every language. */
export const TITLES: Record<string, string> = {
  silencio: 'Silencio',
  'silver-and-gold': 'Silver & Gold',
  'zombie-city': 'Silenz: Zombie City',
  'silent-planet': 'Silent Planet',
}

export const titleOf = (game: string): string => TITLES[game] ?? game

/** For posters and bars, where there is little room. */
export const shortOf = (game: string): string => titleOf(game).replace(/^Silenz: /, '')

/** Each game's picture (parts/posters.svg) and the class of its mood. */
const ART: Record<string, string> = {
  silencio: 'sil',
  'silver-and-gold': 'sg',
  'zombie-city': 'zc',
  'silent-planet': 'sp',
}
export const artOf = (game: string): string => `art-${ART[game] ?? 'sil'}`
export const moodOf = (game: string): string => `m-${ART[game] ?? 'sil'}`
