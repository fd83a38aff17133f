import type { ErrorRequestHandler, Request } from 'express'
import type { Logger } from 'pino'
import type { AppError } from '~/domain/errors'
import { ENDED_LINK, isShareAddress } from '~/lib/ended-link'
import { toAppError } from '../responses/failures.server'
import { logFailure } from '../responses/log-failure.server'
import { plainPage } from '../responses/plain-page.server'
import { errorBody, errorHeaders } from '../responses/respond.server'

const wantsPage = ({ path, headers }: Request) =>
  path !== '/api' && !path.startsWith('/api/') && (headers.accept ?? '').includes('text/html')

/** The file of a share link that has ended: somebody may have passed on the address of a download. */
const wordsFor = ({ path }: Request, { status }: AppError) =>
  status === 404 && isShareAddress(path) ? ENDED_LINK : undefined

/** A page's data requested by a script. Failed posts of scripts have their own handling. */
const isPageData = ({ method, query }: Request) => method === 'GET' && query._data !== undefined

/** The header with which Remix marks a thrown response, so that the error page shows its status. */
export const CAUGHT = { 'X-Remix-Catch': 'yes' } as const

/**
 * Responds to requests that were refused or failed before Remix: JSON for calls, a plain page for
 * browsers.
 */
export function expressErrors(log: Logger): ErrorRequestHandler {
  // eslint-disable-next-line max-params -- Express knows error handlers by their four parameters
  return (error: unknown, req, res, next) => {
    const { requestId } = res.locals.context
    const refusal = toAppError(error, requestId)
    if (refusal.status >= 500)
      logFailure(log, error, { what: 'request failed', requestId, path: req.path })
    if (res.headersSent) return next(error)
    res.status(refusal.status).set(errorHeaders(refusal)).set('Cache-Control', 'no-store')
    if (wantsPage(req)) res.type('html').send(plainPage(refusal, requestId, wordsFor(req, refusal)))
    // Without this header Remix's scripts would treat the error as the page's data.
    else res.set(isPageData(req) ? CAUGHT : {}).json(errorBody(refusal, requestId))
  }
}
