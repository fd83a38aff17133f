import { createHash } from 'node:crypto'
import type { AppError } from '~/domain/errors'

const STYLE = `html{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f7f5f0,#131210);color:light-dark(#1d1b18,#f1ede5)}
body{margin:0 auto;padding:18vh 1.5rem 2rem;max-width:29rem}
.number{margin:0 0 1rem;font:600 1.25rem/1 ui-monospace,monospace;letter-spacing:.3em}
h1{margin:0 0 1rem;font-size:2rem;line-height:1.25}
a{display:inline-flex;align-items:center;min-height:2.75rem;margin:.5rem .5rem 0 0;padding:0 1rem;border:1px solid;border-radius:8px;color:inherit;font-size:.875rem;font-weight:500;text-decoration:none}
.id{margin:2rem 0 0;font-size:.75rem;overflow-wrap:anywhere}`

/**
 * Allows the plain page's style sheet in the Content-Security-Policy, and no other inline style.
 */
export const PLAIN_STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function titleOf(status: number): string {
  if (status === 503) return 'One moment'
  return status === 404 ? 'Page Not Found' : 'That did not work'
}

type Words = { title: string; text: string }

/**
 * Returns the page of a refusal, in `words` instead of its own if they are given. It depends on nothing
 * that could be broken: no database, no script, no file. On a 503 the page reloads itself.
 */
export function plainPage(
  { message, status, retryAfterSeconds }: AppError,
  requestId: string,
  words?: Words,
): string {
  const isAway = status === 503
  const title = words?.title ?? titleOf(status)
  const again = isAway ? AGAIN : ''
  return page({
    title,
    refreshSeconds: isAway ? (retryAfterSeconds ?? 5) : null,
    main: `<p aria-hidden="true" class="number">${status}</p><h1>${title}</h1>
<p>${escapeHtml(words?.text ?? message)}</p><p>${again}<a href="/">Start page</a></p><p class="id">${requestId}</p>`,
  })
}

/**
 * Returns the page that the service worker shows instead of one that cannot be loaded. It contains
 * nothing about anybody, and reloads itself until the page that was wanted comes.
 */
export const offlinePage = (productName: string): string =>
  page({
    title: `No connection · ${escapeHtml(productName)}`,
    refreshSeconds: 10,
    main: `<h1>No connection</h1>
<p>${escapeHtml(productName)} cannot be reached. Your device is offline, or the service is restarting.</p>
<p>What you have started goes on without this page, and finished videos wait for you. This page tries again every ten seconds.</p>
<p>${AGAIN}</p>`,
  })

const AGAIN = `<a href="">Try again</a>`

type Page = { title: string; refreshSeconds: number | null; main: string }

function page({ title, refreshSeconds, main }: Page): string {
  const refresh =
    refreshSeconds === null ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">${refresh}<style>${STYLE}</style></head>
<body><main>${main}</main></body></html>`
}
