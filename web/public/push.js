// Web push, and nothing else: no cache, no fetch. It shows what the server sent and opens the table when it is tapped.
self.addEventListener('push', (event) => {
  const told = event.data?.json() ?? {}
  const how = {
    body: told.body,
    tag: told.tag,
    data: told.url,
    icon: '/icons/icon-192.png',
    badge: '/icons/icon-192.png',
  }
  event.waitUntil(self.registration.showNotification(told.title ?? 'tacit', how))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data ?? '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((pages) => {
      const open = pages.find((page) => new URL(page.url).pathname === url.pathname)
      return open ? open.focus() : self.clients.openWindow(url.href)
    }),
  )
})
