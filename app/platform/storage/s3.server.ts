import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { GetObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import type { Disk } from 'flydrive'
import { scratchOf } from './disk.server'
import { FileMissing, type Part, type VideoStorage } from './port'

export type S3Config = {
  /** Another service than Amazon's own. */
  endpoint?: string | undefined
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** The bucket's name in the path instead of the host's name. */
  forcePathStyle: boolean
  /** Files that are still being written lie here, on this machine. */
  scratchRoot: string
}

type Bucket = {
  disk: Disk
  client: S3Client
  /** The object, or a part of it. */
  get(input: Pick<GetObjectCommandInput, 'Key' | 'Range'>): Promise<Readable>
}

/**
 * Storage in a bucket of Amazon S3 or a service that speaks like it. A clip is written on this
 * machine, checked, and then sent in one request: it is there whole or not at all. The libraries are
 * loaded at the first use.
 */
export function s3Storage(config: S3Config): VideoStorage & { stop(): Promise<void> } {
  let opened: Promise<Bucket> | undefined
  const bucket = () => (opened ??= openBucket(config))
  return {
    ...scratchOf(config.scratchRoot),
    commit: async (scratchPath, key) => {
      const { disk } = await bucket()
      const { size } = await fs.stat(scratchPath)
      const contentType = key.endsWith('.mp4') ? 'video/mp4' : 'image/jpeg'
      const file = createReadStream(scratchPath)
      await disk.putStream(key, file, { contentType, contentLength: size })
      await fs.rm(scratchPath, { force: true })
    },
    localPath: () => null,
    freeBytes: async () => null,
    open: (key, part) =>
      readOf(key, async () => (await bucket()).get({ Key: key, ...rangeOf(part) })),
    size: (key) =>
      readOf(key, async () => (await (await bucket()).disk.getMetaData(key)).contentLength),
    exists: async (key) => (await bucket()).disk.exists(key),
    remove: async (key) => (await bucket()).disk.delete(key),
    stop: async () => (await opened)?.client.destroy(),
  }
}

const rangeOf = (part: Part | undefined): { Range?: string } =>
  part === undefined ? {} : { Range: `bytes=${part.first}-${part.last}` }

async function openBucket({ bucket, ...config }: S3Config): Promise<Bucket> {
  const [{ GetObjectCommand, S3Client }, { Disk }, { S3Driver }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('flydrive'),
    import('flydrive/drivers/s3'),
  ])
  const { accessKeyId, secretAccessKey, endpoint, region, forcePathStyle } = config
  const client = new S3Client({
    ...{ region, forcePathStyle, credentials: { accessKeyId, secretAccessKey } },
    ...(endpoint === undefined ? {} : { endpoint }),
    // Services that only resemble Amazon's refuse its newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  // Nothing is ever public: every read is checked by us.
  const driver = new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })
  return {
    disk: new Disk(driver),
    client,
    get: async (input) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, ...input }))
      if (!(Body instanceof Readable)) throw new Error('the object came without a body')
      return Body
    },
  }
}

const GONE = new Set(['NoSuchKey', 'NotFound'])

/** Runs a read of a key and says so when nothing lies there; the driver wraps what it is told. */
async function readOf<T>(key: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw isGone(error) ? new FileMissing(key) : error
  }
}

function isGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return GONE.has(error.name) || isGone(error.cause)
}
