/** Things that glide from one list into another: Svelte's crossfade, which knows nothing of what is out of sight. */
import { crossfade } from 'svelte/transition'

type Pair = ReturnType<typeof crossfade>

/** `[send, receive]`. What is drawn nowhere has no size to grow from or to: it does not move. */
export function crossing(options: Parameters<typeof crossfade>[0]): Pair {
  return crossfade(options).map((way): Pair[0] => (node: Element, params) => {
    const later = way(node, params)
    return () => {
      const motion = later()
      return node.getBoundingClientRect().width ? motion : { duration: 0 }
    }
  }) as Pair
}
