/** The hands below a row: where each stands, and where its name goes so that no two names lie over each other. */
export interface Hand {
  seat: number
  position: number // from 1
  now: boolean // in this round; else it is left from an earlier one
  maybe: boolean // it is only shown: one more tap points
  span: number // the room its name needs, in columns
}

export interface Stood extends Hand {
  centre: number // of the column, in columns
  shift: number // beside others at the same card: −1, 0, 1 … in steps
  of: number // hands at this card
  start: number // where the name's room begins, in columns
  level: number // and how far below the hand it is
}

/** Each name stands right below its hand, or further down where another one is in its way. */
export function stand(hands: readonly Hand[], columns: number): Stood[] {
  const taken: { level: number; start: number; end: number }[] = []
  const sorted = [...hands].sort((a, b) => a.position - b.position)
  const stood = sorted.map((hand) => {
    const beside = sorted.filter((other) => other.position === hand.position)
    const centre = hand.position - 0.5
    const start = Math.max(0, Math.min(columns - hand.span, centre - hand.span / 2))
    const end = start + hand.span
    let level = 0
    while (taken.some((tag) => tag.level === level && start < tag.end - 0.001 && tag.start < end - 0.001)) level++
    taken.push({ level, start, end })
    return { ...hand, centre, shift: beside.indexOf(hand) - (beside.length - 1) / 2, of: beside.length, start, level }
  })
  return stood.sort((a, b) => a.seat - b.seat) // a hand keeps its place in the page, and glides
}
