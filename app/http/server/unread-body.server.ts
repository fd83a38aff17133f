import type { NextFunction, Request, Response } from 'express'

/**
 * Reads and discards the rest of a request's body once the response was sent. Node does this only
 * for a body that was never read. Remix starts to read every body, and some of its responses do not
 * finish it. The next request on the connection, behind a proxy another user's, would then hang.
 */
export function finishBody(req: Request, res: Response, next: NextFunction): void {
  res.once('finish', () => {
    if (req.complete) return
    // Remix's reader pauses the stream when its buffer is full.
    req.removeAllListeners('data')
    req.resume()
  })
  next()
}
