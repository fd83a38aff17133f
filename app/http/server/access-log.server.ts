import type { NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'
import { accountOf } from '../session/load-context'

/** Files and checks that are requested all the time. */
const ROUTINE = /^\/(build\/|healthz$|readyz$|metrics$)/

/** Who knows the address of a shared clip may see it. */
const withoutSecret = (path: string) => path.replace(/^\/shared\/[^/]+/, '/shared/…')

/**
 * Writes one log line per response: request, status and duration. Polls that found nothing new and
 * routine requests are written at `debug` only. Never logs bodies or query strings.
 */
export function accessLog(log: Logger) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const startedAt = performance.now()
    // Routers change the path while they handle the request.
    const { method, path } = req
    // This log, admission, metrics, compression and streams all wait for the end of the response.
    res.setMaxListeners(20)
    res.once('close', () => {
      const { context } = res.locals
      const isRoutine = res.statusCode === 304 || ROUTINE.test(path)
      const level = res.statusCode >= 500 ? 'error' : isRoutine ? 'debug' : 'info'
      log[level](
        {
          requestId: context.requestId,
          method,
          path: withoutSecret(path),
          status: res.statusCode,
          userId: accountOf(context)?.id,
          // The id of the API key, which gives no access.
          keyId: context.program?.keyId,
          ms: Math.round(performance.now() - startedAt),
        },
        'request',
      )
    })
    next()
  }
}
