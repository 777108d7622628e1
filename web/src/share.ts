/** The system's share sheet where there is one, else the clipboard. True: it was copied, and the page should say so. */
export async function share(url: string, title: string): Promise<boolean> {
  if (navigator.share) {
    try {
      await navigator.share({ url, title })
      return false
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return false // changed their mind
    }
  }
  return copy(url)
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // without a secure connection there is no clipboard: the old way
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    return done
  }
}
