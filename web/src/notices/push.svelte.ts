/** This browser and web push: whether it can, whether it may, and whether it does. */
import { settings } from '../settings.svelte'
import { api } from '../wire/api'
import type { NoticeSettings } from '../wire/protocol.gen'

export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

const KEY = 'tacit-push' // the channel that this browser is

function kept(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null // a browser that keeps nothing
  }
}

function keep(channel: string | null): void {
  try {
    if (channel === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, channel)
  } catch {
    // it holds until the page is closed
  }
}

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))

export function supported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** The channel of this browser, if it still is one. */
export function ownChannel(chosen: NoticeSettings): string | null {
  const mine = kept()
  return chosen.channels.some((one) => one.channel === mine) ? mine : null
}

export function stateOf(chosen: NoticeSettings): PushState {
  if (!supported() || chosen.push_key === null) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && ownChannel(chosen) ? 'on' : 'off'
}

/** Turn it on. The browser asks the person: call it only after a tap. Null if they said no. */
export async function turnOn(chosen: NoticeSettings): Promise<NoticeSettings | null> {
  if (chosen.push_key === null || (await Notification.requestPermission()) !== 'granted') return null
  await navigator.serviceWorker.register('/push.js')
  const worker = await navigator.serviceWorker.ready
  const key = bytes(chosen.push_key)
  const old = await worker.pushManager.getSubscription()
  await old?.unsubscribe() // it may be of another key
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = made.toJSON()
  const told = await api.reachBy({
    kind: 'push',
    address: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    language: settings.language,
  })
  keep(told.added ?? null)
  return told
}

export async function turnOff(chosen: NoticeSettings): Promise<NoticeSettings> {
  const channel = ownChannel(chosen)
  const worker = await navigator.serviceWorker.getRegistration('/push.js')
  await (await worker?.pushManager.getSubscription())?.unsubscribe()
  keep(null)
  return channel ? api.removeChannel(channel) : chosen
}
