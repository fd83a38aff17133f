// The service worker of the product. It keeps nothing: no page, no answer, no file. Its one page, for
// when there is no connection, is part of its script: the server writes it above these lines
// (app/http/endpoints/installed.server.ts), as `OFFLINE_PAGE` and `OFFLINE_HEADERS`.

/* global OFFLINE_PAGE, OFFLINE_HEADERS */

addEventListener('install', () => skipWaiting())

// Files pass without it: a download may take longer than a service worker may live.
const isFile = ({ pathname }) =>
  /^\/(?:(?:api|media|shared|videos\/download)\b|films\/[^/]+\/)/.test(pathname)

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode !== 'navigate' || request.method !== 'GET') return
  if (isFile(new URL(request.url))) return
  event.respondWith(
    fetch(request).catch(() => new Response(OFFLINE_PAGE, { headers: OFFLINE_HEADERS })),
  )
})

// A message that a batch is done (Web Push). A second copy of it replaces the first one: it has the same tag.
addEventListener('push', (event) => {
  const { title, body, tag, url, download } = event.data.json()
  const options = { body, tag, icon: '/icon-192.png', data: { url } }
  if (download) {
    options.data.download = download
    options.actions = [{ action: 'download', title: 'Download as ZIP' }]
  }
  event.waitUntil(registration.showNotification(title, options))
})

// The browser or its service has renewed the address to which messages go. The server replaces it if the
// session that asked goes on and its device is still told. If this fails, the next message finds nobody at
// the old address, and the device is forgotten.
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

async function renew({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options
  const fresh = newSubscription ?? (options && (await registration.pushManager.subscribe(options)))
  const { endpoint, keys } = fresh?.toJSON() ?? {}
  if (!endpoint) return
  await fetch('/api/account/device', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, ...keys }),
  })
}

// Pressed, it leads to its page: in the tab that shows it, or in a new one. Another tab is left alone,
// because something may be typed in it. The button of a batch loads its clips instead.
addEventListener('notificationclick', (event) => {
  const { url, download } = event.notification.data
  event.notification.close()
  const address = event.action === 'download' && download ? download : url
  event.waitUntil(showPage(new URL(address, location.origin)))
})

async function showPage(url) {
  if (url.origin !== location.origin) return
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find((one) => new URL(one.url).pathname === url.pathname)
  await (tab ? tab.focus() : clients.openWindow(url.href))
}
