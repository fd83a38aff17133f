import type { NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'

/**
 * Writes one log line per response: request, status and duration. Never logs bodies or query
 * strings.
 */
export function accessLog(log: Logger) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const startedAt = performance.now()
    res.once('close', () => {
      const { requestId, visitor } = res.locals.context
      const level = res.statusCode >= 500 ? 'error' : 'debug'
      log[level](
        {
          requestId,
          method: req.method,
          path: req.path,
          status: res.statusCode,
          userId: visitor?.account.id,
          ms: Math.round(performance.now() - startedAt),
        },
        'request',
      )
    })
    next()
  }
}
