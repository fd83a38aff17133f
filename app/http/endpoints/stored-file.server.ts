import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import send from 'send'
import { AppError } from '~/domain/errors'
import { holdsVersion } from '../responses/etag.server'
import {
  FileMissing,
  StorageUnavailable,
  type Part,
  type VideoStorage,
} from '~/platform/storage/port'

/** Large enough that the disk, not the event loop, limits the throughput. */
const CHUNK_BYTES = 1024 * 1024

type Content = { key: string; type: string; etag: string }

/**
 * A stored file and its response headers. `etag` includes its quotes. If the file is missing,
 * `orElse` is sent.
 */
export type StoredFile = Content & { disposition: string; orElse?: Content }

/** A request for a stored file, its response, and the storage. */
export type Exchange = { req: Request; res: Response; storage: VideoStorage }

/**
 * Sends a stored file from a local or a remote storage, with ranges and conditional requests.
 * Throws NOT_FOUND if the file is missing, and StorageUnavailable. If reading fails midway, the
 * connection is closed.
 */
export async function sendStored({ req, res, storage }: Exchange, file: StoredFile): Promise<void> {
  res.setHeader('Content-Type', file.type)
  res.setHeader('ETag', file.etag)
  res.setHeader('Cache-Control', 'private, no-cache')
  res.setHeader('Content-Disposition', file.disposition)
  try {
    const path = storage.localPath(file.key)
    if (path === null) await sendRemote({ req, res, storage }, file)
    else {
      await widenRange(req, () => storage.size(file.key))
      await sendLocal({ req, res, storage }, file.key, path)
    }
  } catch (error) {
    // These headers describe the file, not the error response that replaces it.
    if (!res.headersSent) for (const name of OF_THE_FILE) res.removeHeader(name)
    if (error instanceof FileMissing) {
      const { orElse, disposition } = file
      if (orElse) return sendStored({ req, res, storage }, { ...orElse, disposition })
      throw missing({ key: file.key })
    }
    // A client that disconnects is not an error.
    if (error instanceof StorageUnavailable || !res.destroyed) throw error
  }
}

const OF_THE_FILE = [
  'ETag',
  'Content-Disposition',
  'Accept-Ranges',
  'Content-Length',
  'Content-Range',
]

const missing = (details: Record<string, string>) =>
  new AppError('NOT_FOUND', 'The file of this video is missing', { details })

function sendLocal({ req, res, storage }: Exchange, key: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The folder is the product's own. `dotfiles` must not apply to it: the default one begins with
    // a dot.
    const options = {
      root: dirname(path),
      etag: false,
      cacheControl: false,
      dotfiles: 'deny',
      highWaterMark: CHUNK_BYTES,
    } as const
    send(req, basename(path), options)
      .on('error', (error: NodeJS.ErrnoException & { status?: number }) => {
        if (error.status === 416 || error.status === 412) {
          res.status(error.status).end()
          return resolve()
        }
        // The storage knows whether the file is missing or the disk is unavailable: `size` throws
        // either error.
        storage.size(key).then(() => reject(error), reject)
      })
      .on('end', resolve)
      .pipe(res)
    res.once('close', resolve)
  })
}

/**
 * Removes a suffix range longer than the file: it means the whole file (RFC 9110 §14.1.2), but
 * `send` would reject it with a 416.
 */
async function widenRange(req: Request, size: () => Promise<number>): Promise<void> {
  const suffix = /^bytes=-(\d+)$/.exec(req.get('range')?.trim() ?? '')
  if (suffix && Number(suffix[1]) >= (await size())) delete req.headers.range
}

/** Does the same for a file on another machine. Its bytes are streamed and never buffered whole. */
async function sendRemote({ req, res, storage }: Exchange, file: StoredFile): Promise<void> {
  res.setHeader('Accept-Ranges', 'bytes')
  if (holdsVersion(req.get('if-none-match'), file.etag)) {
    res.status(304).end()
    return
  }
  const wanted = req.get('if-match')
  if (wanted !== undefined && !holdsVersion(wanted, file.etag)) {
    res.status(412).end()
    return
  }
  const size = await storage.size(file.key)
  const condition = req.get('if-range')
  const isWhole = condition !== undefined && condition !== file.etag
  const part = isWhole ? 'whole' : partOf(req.get('range'), size)
  if (part === 'none') {
    res.setHeader('Content-Range', `bytes */${size}`)
    res.status(416).end()
    return
  }
  const { first, last } = part === 'whole' ? { first: 0, last: size - 1 } : part
  const isHead = req.method === 'HEAD'
  const bytes = isHead ? null : await storage.open(file.key, part === 'whole' ? undefined : part)
  res.setHeader('Content-Length', last - first + 1)
  if (part !== 'whole') res.status(206).setHeader('Content-Range', `bytes ${first}-${last}/${size}`)
  if (bytes === null) res.end()
  else await pipeline(bytes, res)
}

/**
 * Returns the part of a file that a Range header asks for. Several ranges, or an unreadable header,
 * give the whole file (RFC 9110 §14.2 allows it). Returns `none` if the file has no such part.
 */
export function partOf(header: string | undefined, size: number): Part | 'whole' | 'none' {
  const range = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (range === null) return 'whole'
  const [, from = '', to = ''] = range
  if (from === '' && to === '') return 'whole'
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return 'whole'
  return first > last ? 'none' : { first, last }
}
