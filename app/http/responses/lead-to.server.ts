/**
 * Returns a page that leads to an address of another host. A redirect would not: browsers allow a form
 * that is sent to us to lead only to us (`form-action`).
 */
export function leadTo(address: string): Response {
  const { href } = new URL(address)
  const safe = href.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Opening the chat</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="refresh" content="0;url=${safe}"></head>
<body><h1>Opening the chat</h1><p><a href="${safe}">Open the chat</a></p></body></html>`
  return new Response(page, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
