import type { NextFunction, Request, Response } from 'express'

/**
 * Reads what an answer has left of a request's body, and throws it away. Node does so where nobody has
 * begun to read. Remix begins with every body, and some of its answers do not finish it: the connection
 * would then stay open without an answer for whatever comes next on it, behind a proxy from anybody.
 */
export function finishBody(req: Request, res: Response, next: NextFunction): void {
  res.once('finish', () => {
    if (req.complete) return
    // Remix's reader stops the flow when its buffer is full.
    req.removeAllListeners('data')
    req.resume()
  })
  next()
}
