import type { ErrorRequestHandler, Request } from 'express'
import type { Logger } from 'pino'
import { toAppError } from '../responses/failures.server'
import { plainPage } from './plain-page.server'
import { errorBody, errorHeaders } from '../responses/respond.server'

const wantsPage = ({ path, headers }: Request) =>
  !path.startsWith('/api/') && (headers.accept ?? '').includes('text/html')

/** A page that scripts ask for; what they post keeps its own words for a failure. */
const isPageData = ({ method, query }: Request) => method === 'GET' && query._data !== undefined

/** How Remix marks an answer that is thrown, so that the page of errors shows its status. */
export const CAUGHT = { 'X-Remix-Catch': 'yes' } as const

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
    // Remix's scripts would take any other answer to a page's question for its data.
    else res.set(isPageData(req) ? CAUGHT : {}).json(errorBody(refusal, requestId))
  }
}
