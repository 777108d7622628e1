/** What a page catches is still an error: it is thrown again where it harms nothing, and whoever watches hears of it. */
export function heard(error: unknown): void {
  setTimeout(() => {
    throw error
  })
}
