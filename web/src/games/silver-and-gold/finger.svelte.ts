/** The shape follows the finger or the mouse, over the islands and back. */
import type { Point, Stencil } from './stencil.svelte'

interface Drag {
  x: number
  y: number
  size: number // of a cell, as on the islands
}

const LIFT = 56 // pixels: under a finger the shape would not be seen
const STILL = 9 // a press that moves no farther is a tap

export class Finger {
  drag = $state.raw<Drag | null>(null)
  carried = false // the click that comes now is the end of a drag, not a tap
  #start: { x: number; y: number; id: number; lift: number } | null = null

  constructor(
    readonly stencil: Stencil,
    readonly root: () => HTMLElement | undefined,
    readonly acting: () => boolean,
  ) {}

  /** Where on one of your islands a point of the screen lies; null: on none. */
  #point(x: number, y: number, rim = 0): Point | null {
    for (const map of this.root()?.querySelectorAll<HTMLElement>('[data-map]') ?? []) {
      const box = map.getBoundingClientRect()
      const size = box.width / 4
      const at = [(x - box.left) / size, (y - box.top) / size] as const
      if (at.every((n) => n >= -rim && n <= 4 + rim)) return { card: map.dataset.map ?? '', at }
    }
    return null
  }

  press = (event: PointerEvent): void => {
    if (!this.acting() || event.button !== 0) return
    const lift = event.pointerType === 'mouse' ? 0 : LIFT
    this.#start = { x: event.clientX, y: event.clientY, id: event.pointerId, lift }
  }

  move = (event: PointerEvent): void => {
    const start = this.#start
    if (!start || event.pointerId !== start.id || !this.acting()) return
    if (!this.drag && Math.hypot(event.clientX - start.x, event.clientY - start.y) < STILL) return
    const map = this.root()?.querySelector<HTMLElement>('[data-map]')
    this.drag = { x: event.clientX, y: event.clientY - start.lift, size: (map?.clientWidth ?? 176) / 4 }
    this.stencil.carry(this.#point(this.drag.x, this.drag.y, 0.6))
  }

  release = (event: PointerEvent): void => {
    if (event.pointerId !== this.#start?.id) return
    this.#start = null
    if (!this.drag) return
    this.drag = null
    this.carried = true
    setTimeout(() => (this.carried = false), 0)
    this.stencil.drop()
  }

  cancel = (): void => {
    this.#start = this.drag = null
    this.stencil.over = null
  }

  /** A mouse that is not pressed: the shape shows where it would lie. */
  hover = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && !this.#start && this.acting())
      this.stencil.hover(this.#point(event.clientX, event.clientY))
  }
}
