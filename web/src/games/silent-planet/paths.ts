/** Which pieces a decision touches. Rows are made in one go, without narrowing (arrangement.svelte.ts). */
export function paths(text: string): readonly string[] {
  const [verb, position] = text.split(' ')
  return verb === 'point' && position ? [`card:${position}`] : []
}
