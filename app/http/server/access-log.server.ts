import type { NextFunction, Request, Response } from 'express'
import type { Logger } from 'pino'

/** One line an answer: what was asked, what came of it, how long it took. Never bodies or queries. */
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
