import type { ErrorRequestHandler, Request } from 'express'
import type { Logger } from 'pino'
import type { AppError } from '~/domain/errors'
import { toAppError } from './failures.server'
import { errorBody, errorHeaders } from './respond.server'

const wantsPage = ({ path, headers }: Request) =>
  !path.startsWith('/api/') && (headers.accept ?? '').includes('text/html')

/** Answers what was refused or failed in front of Remix: JSON for calls, a plain page for people. */
export function expressErrors(log: Logger): ErrorRequestHandler {
  // eslint-disable-next-line max-params -- Express knows error handlers by their four parameters
  return (error: unknown, req, res, next) => {
    const { requestId } = res.locals.context
    const refusal = toAppError(error, requestId)
    if (refusal.status >= 500)
      log.error({ err: error, requestId, path: req.path }, 'request failed')
    if (res.headersSent) return next(error)
    res.status(refusal.status).set(errorHeaders(refusal)).set('Cache-Control', 'no-store')
    if (wantsPage(req)) res.type('html').send(plainPage(refusal, requestId))
    else res.json(errorBody(refusal, requestId))
  }
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Needs nothing that may be broken: no database, no script, no stylesheet. */
function plainPage({ message, status, retryAfterSeconds }: AppError, requestId: string): string {
  const refresh =
    status === 503 ? `<meta http-equiv="refresh" content="${retryAfterSeconds ?? 5}">` : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${status}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">${refresh}</head>
<body><main><h1>${status === 503 ? 'One moment' : 'That did not work'}</h1>
<p>${escapeHtml(message)}</p><p><a href="/">Start page</a></p><p><small>${requestId}</small></p></main></body></html>`
}
