import type { AppError } from '~/domain/errors'

// A stylesheet of the page's own would be refused by our content policy; attributes are not.
const STYLES = {
  html: 'color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f7f5f0,#131210);color:light-dark(#1d1b18,#f1ede5)',
  body: 'margin:0 auto;padding:18vh 1.5rem 2rem;max-width:29rem',
  number: 'margin:0 0 1rem;font:600 1.25rem/1 ui-monospace,monospace;letter-spacing:.3em',
  title: 'margin:0 0 1rem;font-size:2rem;line-height:1.25',
  link: 'display:inline-flex;align-items:center;min-height:2.75rem;margin:.5rem .5rem 0 0;padding:0 1rem;border:1px solid;border-radius:8px;color:inherit;font-size:.875rem;font-weight:500;text-decoration:none',
  id: 'margin:2rem 0 0;font-size:.75rem;overflow-wrap:anywhere',
} as const

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const styled = (name: keyof typeof STYLES) => `style="${STYLES[name]}"`

/**
 * The page of a refusal that needs nothing that may be broken: no database, no script, no file of
 * ours. Where the service is away it loads itself again.
 */
export function plainPage(
  { message, status, retryAfterSeconds }: AppError,
  requestId: string,
): string {
  const isAway = status === 503
  const title = isAway ? 'One moment' : 'That did not work'
  const refresh = isAway ? `<meta http-equiv="refresh" content="${retryAfterSeconds ?? 5}">` : ''
  const again = isAway ? `<a href="" ${styled('link')}>Try again</a>` : ''
  return `<!doctype html><html lang="en" ${styled('html')}><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">${refresh}</head>
<body ${styled('body')}><main><p aria-hidden="true" ${styled('number')}>${status}</p><h1 ${styled('title')}>${title}</h1>
<p>${escapeHtml(message)}</p><p>${again}<a href="/" ${styled('link')}>Start page</a></p><p ${styled('id')}>${requestId}</p></main></body></html>`
}
