import { createReadableStreamFromReadable } from '@remix-run/node'
import { Readable } from 'node:stream'
import { oneAtATime } from './one-at-a-time.server'

type TextFile = { name: string; type: 'text/csv' | 'text/plain'; headers?: Headers }

/**
 * Returns the pieces of text as a download. Each piece is read through `oneAtATime`. `headers` are
 * added to the response.
 */
export function textFile(
  pieces: AsyncGenerator<string>,
  { name, type, headers = new Headers() }: TextFile,
): Response {
  headers.set('Content-Type', `${type}; charset=utf-8`)
  headers.set('Content-Disposition', `attachment; filename="${name}"`)
  headers.set('Cache-Control', 'no-store')
  const body = createReadableStreamFromReadable(Readable.from(oneAtATime(pieces)))
  return new Response(body, { headers })
}
