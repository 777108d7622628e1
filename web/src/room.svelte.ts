/** A review room: a replay that follows whoever leads, until one goes off to look for oneself. */
import type { ReplayPlay, Steps } from './replay.svelte'
import type { Live } from './wire/live.svelte'
import type { Drawn, Reaction } from './wire/protocol.gen'

export const SIGNS: readonly Reaction['sign'][] = ['like', 'heart', 'laugh', 'wow', 'think']

export class RoomReplay implements Steps {
  following = $state(true)

  constructor(
    readonly line: Live,
    readonly replay: ReplayPlay,
  ) {}

  get ui() {
    return this.replay.ui
  }

  get step() {
    return this.replay.step
  }

  get steps() {
    return this.replay.steps
  }

  get seats() {
    return this.replay.seats
  }

  get names() {
    return this.replay.names
  }

  get log() {
    return this.replay.log
  }

  get moments() {
    return this.replay.moments
  }

  get spoilers() {
    return this.replay.spoilers
  }

  set spoilers(to: 'hidden' | 'shown') {
    this.replay.spoilers = to
  }

  /** Whether one leads: where one goes, all go. */
  get leads(): boolean {
    return this.line.room !== null && this.line.room.leader === this.line.seat
  }

  /** The eyes one may see with here: one's own, a spectator's, those of who opened their hands; all at once if all did. */
  get eyes(): string[] {
    const room = this.line.room
    const own = this.line.seat === null ? [] : [this.line.seat]
    const seats = [...new Set([...own, ...(room?.agreed ?? [])])].sort((a, b) => a - b)
    return [...seats.map(String), 'public', ...(room?.open ? ['open'] : [])]
  }

  /** What was drawn at this moment. */
  get drawn(): Drawn[] {
    return (this.line.room?.drawn ?? []).filter((one) => one.step === this.step)
  }

  reactions(sign: Reaction['sign']): number[] {
    const here = (this.line.room?.reactions ?? []).filter((one) => one.step === this.step && one.sign === sign)
    return here.map((one) => one.seat)
  }

  async go(step: number): Promise<void> {
    if (this.leads && this.following) void this.line.ask({ type: 'go', step })
    else this.following = false
    await this.replay.go(step)
  }

  /** Back to where all are. */
  async follow(): Promise<void> {
    this.following = true
    if (this.line.room) await this.replay.go(this.line.room.step)
  }

  next(way: 1 | -1): number {
    return this.replay.next(way)
  }

  nextMoment(way: 1 | -1): number {
    return this.replay.nextMoment(way)
  }
}
