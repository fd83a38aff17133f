import { createReadableStreamFromReadable } from '@remix-run/node'
import { Readable } from 'node:stream'
import { oneAtATime } from './one-at-a-time.server'

type TextFile = { name: string; type: 'text/csv' | 'text/plain' }

/** Pieces of text as a file to save, each read when its turn has come (`oneAtATime`). */
export function textFile(pieces: AsyncGenerator<string>, { name, type }: TextFile): Response {
  return new Response(createReadableStreamFromReadable(Readable.from(oneAtATime(pieces))), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  })
}
