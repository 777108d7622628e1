/** What to play after a match, as the rulebook advises: harder after a perfect one, easier after one far off. */
import type { Suggestion } from '../../play'

const UNLIT = ['none', 'large', 'small', 'all'] // each harder than the one before

export function suggest(result: Record<string, unknown>, options: Suggestion['options']): Suggestion | null {
  const next = (why: string, option: string, value: boolean | string): Suggestion => ({
    options: { [option]: value },
    why: `silencio-table.next.${why}`,
    label: `silencio-table.next.${option}.${value}`,
  })
  const step = UNLIT.indexOf(String(options.unlit ?? 'none'))
  if (result.verdict === 'perfect') {
    const harder = UNLIT[step + 1]
    if (harder) return next('harder', 'unlit', harder)
    return options.tavern ? next('harder', 'tavern', false) : null
  }
  if (result.verdict !== 'far') return null
  if (!options.tavern) return next('easier', 'tavern', true)
  const easier = UNLIT[step - 1]
  return easier ? next('easier', 'unlit', easier) : null
}
