/** What to play after a match, as the rulebook advises: fewer survivors or the expert mode after a win, more after a loss. */
import type { Suggestion } from '../../play'

export function suggest(
  result: Record<string, unknown>,
  options: Suggestion['options'],
  you: number | null,
): Suggestion | null {
  const next = (why: 'harder' | 'easier', option: string, value: boolean | number): Suggestion => ({
    options: { [option]: value },
    why: `zombie-city-table.next.${why}`,
    label: `zombie-city-table.next.${option}.${value}`,
  })
  const survivors = Number(options.survivors ?? 2)
  if (Array.isArray(result.winners) && result.winners.includes(you)) {
    if (survivors > 1) return next('harder', 'survivors', survivors - 1)
    return options.expert ? null : next('harder', 'expert', true)
  }
  return survivors < 3 ? next('easier', 'survivors', survivors + 1) : null
}
