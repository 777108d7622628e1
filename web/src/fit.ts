/** Shrinks a region's content until it fits. It never grows back by itself: pieces must not move while somebody thinks.
 *
 *  This is the last resort. A table that sizes its pieces by its region (`cqw`, `cqh`) fits without it.
 */
const SMALLEST = 0.5

/** The zoom at which something that needs so much room at zoom 1 fits. */
export function zoomFor(need: number, room: number): number {
  if (room <= 0 || need <= room + 1) return 1
  return Math.max(SMALLEST, Math.floor((room / need) * 100) / 100)
}

export function fit(node: HTMLElement): { destroy(): void } {
  const region = node.parentElement as HTMLElement
  let zoom = 1
  let size = ''
  let frame = 0

  function measure(): void {
    const now = `${region.clientWidth} ${region.clientHeight}`
    if (now !== size) {
      size = now
      set(1)
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(shrink) // when the pieces know the new size, too
    } else if (!frame) shrink()
  }
  function shrink(): void {
    frame = 0
    for (let tries = 0; tries < 4; tries++) {
      const need = node.scrollHeight * zoom
      const wanted = Math.max(SMALLEST, zoom * zoomFor(need, region.clientHeight))
      if (wanted === zoom) return
      const before = zoom
      set(wanted)
      if (node.scrollHeight * zoom > need * 0.99) return set(before) // smaller pieces do not help here
    }
  }
  function set(to: number): void {
    zoom = to
    node.style.zoom = to === 1 ? '' : String(to)
  }

  const observer = new ResizeObserver(measure)
  observer.observe(region)
  observer.observe(node)
  return {
    destroy() {
      observer.disconnect()
      cancelAnimationFrame(frame)
    },
  }
}
