// The service worker of the product. It keeps nothing: no page, no answer, no file. Its one page, for
// when there is no connection, is part of its script: the server writes it above these lines
// (app/http/endpoints/installed.server.ts), as `OFFLINE_PAGE` and `OFFLINE_HEADERS`.

/* global OFFLINE_PAGE, OFFLINE_HEADERS */

addEventListener('install', () => skipWaiting())

// Files pass without it: a download may take longer than a service worker may live.
const isFile = ({ pathname }) => /^\/(api|media|shared|videos\/download)\b/.test(pathname)

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode !== 'navigate' || request.method !== 'GET') return
  if (isFile(new URL(request.url))) return
  event.respondWith(
    fetch(request).catch(() => new Response(OFFLINE_PAGE, { headers: OFFLINE_HEADERS })),
  )
})
