// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import { flushSync } from 'svelte'
import { Choice, type Decider, type Paths } from '../src/choice.svelte'
import type { Previewed } from '../src/wire/protocol.gen'

/** "play drone fast 2" touches the card, then the zombie, then the seat. */
const paths: Paths = (text) => {
  const [verb, card, zombie, seat] = text.split(' ')
  if (verb !== 'play') return []
  return [`card:${card}`, ...(zombie ? [`zombie:${zombie}`] : []), ...(seat ? [`seat:${seat}`] : [])]
}
const previewed: Previewed = { type: 'previewed', view: {}, legal: [], offers: [], heard: [], told: [] }

function choosing(legal: string[]) {
  const decider = {
    act: vi.fn<Decider['act']>().mockResolvedValue(true),
    preview: vi.fn<Decider['preview']>().mockResolvedValue(previewed),
  }
  const choice = new Choice(decider)
  choice.offer(legal, [], paths, '1')
  flushSync()
  return { choice, decider }
}

const DRONE = ['play drone fast 1', 'play drone fast 2', 'play drone slow 2', 'play axe', 'end']

describe('narrowing', () => {
  it('lets only that be tapped which a decision mentions next', () => {
    const { choice } = choosing(DRONE)
    expect(choice.can('card:drone')).toBe(true)
    expect(choice.can('zombie:fast')).toBe(false)
    expect(choice.can('card:saw')).toBe(false)
    expect(choice.tap('zombie:fast')).toBe(false)
    choice.tap('card:drone')
    expect(choice.can('zombie:fast')).toBe(true)
    expect(choice.can('seat:2')).toBe(false)
  })

  it('shows the one decision that is left, and makes it with the second tap on its last piece', async () => {
    const { choice, decider } = choosing(DRONE)
    for (const piece of ['card:drone', 'zombie:fast', 'seat:2']) choice.tap(piece)
    expect(choice.staged?.text).toBe('play drone fast 2')
    expect(decider.act).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(choice.previewed).toBe(previewed))
    choice.tap('seat:2')
    await vi.waitFor(() => expect(choice.sending).toBe(false))
    expect(decider.act).toHaveBeenCalledExactlyOnceWith(['play drone fast 2'])
    expect(choice.picked).toEqual([])
  })

  it('waits for the rest of a decision even when only one is left', () => {
    const { choice } = choosing(['play drone fast 2'])
    choice.tap('card:drone')
    expect(choice.staged).toBeNull()
    expect(choice.can('zombie:fast')).toBe(true)
  })

  it('goes back to before a piece that is tapped again, and starts over with another first piece', () => {
    const { choice } = choosing(DRONE)
    choice.tap('card:drone')
    choice.tap('zombie:fast')
    expect(choice.soft('card:axe')).toBe(true)
    choice.tap('card:drone')
    expect(choice.picked).toEqual([])
    choice.tap('card:drone')
    choice.tap('card:axe')
    expect(choice.picked).toEqual(['card:axe'])
    expect(choice.staged?.text).toBe('play axe')
  })

  it('offers decisions without pieces as buttons: the first press shows, the second does', async () => {
    const { choice, decider } = choosing(DRONE)
    expect(choice.buttons.map((offer) => offer.text)).toEqual(['end'])
    const end = choice.buttons[0]!
    choice.press(end)
    expect(choice.staged).toBe(end)
    expect(decider.act).not.toHaveBeenCalled()
    choice.press(end)
    await vi.waitFor(() => expect(decider.act).toHaveBeenCalledExactlyOnceWith(['end']))
  })

  it('keeps what was tapped while the same question stands, and drops it with the next', () => {
    const { choice } = choosing(DRONE)
    choice.tap('card:drone')
    choice.offer(DRONE, [], paths, '1')
    expect(choice.picked).toEqual(['card:drone'])
    choice.offer(DRONE, [], paths, '2')
    expect(choice.picked).toEqual([])
    choice.tap('card:axe')
    choice.offer(['end'], [], paths, '2')
    expect(choice.picked).toEqual([])
  })

  it('takes no tap while a decision is on its way, and keeps it when it was refused', async () => {
    const { choice, decider } = choosing(DRONE)
    let answer: (took: boolean) => void = () => {}
    decider.act.mockReturnValue(new Promise((resolve) => (answer = resolve)))
    choice.tap('card:axe')
    choice.tap('card:axe')
    expect(choice.asked).toBe(false)
    expect(choice.tap('card:drone')).toBe(false)
    expect([choice.picked, choice.soft('card:drone')]).toEqual([['card:axe'], true]) // and it looks as before
    answer(false)
    await vi.waitFor(() => expect(choice.sending).toBe(false))
    expect(choice.staged?.text).toBe('play axe')
    expect(choice.asked).toBe(true)
  })

  it('shows no preview of something that was put back meanwhile', async () => {
    const { choice, decider } = choosing(DRONE)
    let answer: (found: Previewed) => void = () => {}
    decider.preview.mockReturnValue(new Promise((resolve) => (answer = resolve)))
    choice.tap('card:axe')
    choice.clear()
    answer(previewed)
    await Promise.resolve()
    expect(choice.previewed).toBeNull()
  })

  it('has nothing to tap in a replay', () => {
    const choice = new Choice()
    expect(choice.asked).toBe(false)
    expect(choice.tap('card:axe')).toBe(false)
  })
})
