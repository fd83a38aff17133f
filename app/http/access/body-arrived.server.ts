import type { Request } from 'express'

/**
 * Resolves when the whole body of a request is in memory. It can still be read. Never resolves if
 * the client disconnects before.
 */
export function bodyArrived(req: Request): Promise<void> {
  if (req.complete) return Promise.resolve()
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const take = () => {
      for (let piece = nextPiece(req); piece; piece = nextPiece(req)) pieces.push(piece)
      if (!req.complete) return
      req.off('readable', take)
      // In the same turn of the event loop: a stream that is still empty in the next one has ended.
      req.unshift(Buffer.concat(pieces))
      resolve()
    }
    req.on('readable', take)
  })
}

function nextPiece(req: Request): Buffer | null {
  const piece: unknown = req.read()
  return piece instanceof Buffer ? piece : null
}
