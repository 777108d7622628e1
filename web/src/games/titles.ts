/** The games' names, as their publishers write them. They are the same in every language. */
export const TITLES: Record<string, string> = {
  silencio: 'Silencio',
  'silver-and-gold': 'Silver & Gold',
  'zombie-city': 'Silenz: Zombie City',
  'silent-planet': 'Silent Planet',
}

export const titleOf = (game: string): string => TITLES[game] ?? game
