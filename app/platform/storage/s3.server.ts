import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { Readable } from 'node:stream'
import type * as S3 from '@aws-sdk/client-s3'
import { seconds } from '~/lib/time'
import { scratchOf } from './disk.server'
import { limited, withIdleLimit } from './limits'
import { FileMissing, StorageUnavailable, type Part, type VideoStorage } from './port'
import { isGone, isLostConnection, s3Error } from './s3-errors'

export type S3Config = {
  /** The address of a service other than Amazon's. */
  endpoint?: string | undefined
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Puts the bucket's name into the path instead of the host name. */
  forcePathStyle: boolean
  /** The folder on this machine for files that are still being written. */
  scratchRoot: string
}

const CONNECT_MS = seconds(5)
/** From the request to the response headers, including the client's one retry. */
const ANSWER_MS = seconds(10)
/** The longest wait for the next byte. The whole transfer has no time limit. */
const IDLE_MS = seconds(20)
const TRIES = 2
/** A paused player keeps its connection open. */
const MOST_CONNECTIONS = 512
/** A key with no object, requested to see whether the bucket responds. */
const CHECK_KEY = 'reelmill-check'

/** Without a logger the client writes to the console. */
const nothing = () => undefined
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

type Bucket = { sdk: typeof S3; client: S3.S3Client; name: string }

/**
 * Creates storage in a bucket of Amazon S3 or a compatible service. A clip is written on this
 * machine, checked, and then uploaded in one request, so the bucket never has an incomplete one.
 * The library is loaded on first use.
 */
export function s3Storage(config: S3Config): VideoStorage & { stop(): Promise<void> } {
  let opened: Promise<Bucket> | undefined
  const bucket = () => (opened ??= openBucket(config))
  return {
    ...scratchOf(config.scratchRoot),
    commit: async (scratchPath, key) => {
      await put(await bucket(), scratchPath, key)
      await fs.rm(scratchPath, { force: true })
    },
    localPath: () => null,
    freeBytes: async () => null,
    open: async (key, part) => get(await bucket(), key, part),
    size: async (key) => sizeOf(await bucket(), key),
    remove: async (key) => remove(await bucket(), key),
    check: async () => check(await bucket()),
    stop: async () => (await opened)?.client.destroy(),
  }
}

async function openBucket({ bucket: name, ...config }: S3Config): Promise<Bucket> {
  // On Node 20 the SDK prints a plain-text warning about future versions into the JSON log.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const sdk = await import('@aws-sdk/client-s3')
  const { accessKeyId, secretAccessKey, endpoint, region, forcePathStyle } = config
  const client = new sdk.S3Client({
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint === undefined ? {} : { endpoint }),
    // Some compatible services reject Amazon's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Few tries: if a clip cannot be stored, the engine retries later.
    maxAttempts: TRIES,
    logger: SILENT,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      // The client's idle limit would disconnect a viewer who pauses. IDLE_MS only counts while we
      // wait for bytes.
      socketTimeout: 0,
      httpAgent: { maxSockets: MOST_CONNECTIONS },
      httpsAgent: { maxSockets: MOST_CONNECTIONS },
    },
  })
  return { sdk, client, name }
}

/** Uploads a file. Throws the file's own error if it cannot be read. */
async function put(bucket: Bucket, file: string, key: string): Promise<void> {
  try {
    await putOnce(bucket, file, key)
  } catch (error) {
    // The bucket may have closed a kept-alive connection. The client does not retry streams itself.
    if (!isLostConnection(error)) throw error
    await putOnce(bucket, file, key)
  }
}

async function putOnce({ sdk, client, name }: Bucket, file: string, key: string): Promise<void> {
  const { size } = await fs.stat(file)
  const ContentType = key.endsWith('.mp4') ? 'video/mp4' : 'image/jpeg'
  await limited(IDLE_MS, async ({ signal, progress, fail }) => {
    const Body = Readable.from(noted(createReadStream(file), progress), { objectMode: false })
    Body.once('error', fail)
    const input = { Bucket: name, Key: key, Body, ContentType, ContentLength: size }
    try {
      await client.send(new sdk.PutObjectCommand(input), { abortSignal: signal })
    } catch (error) {
      throw s3Error(error)
    } finally {
      Body.destroy()
    }
  })
}

async function* noted(pieces: AsyncIterable<Buffer>, progress: () => void) {
  for await (const piece of pieces) {
    progress()
    yield piece
  }
}

async function get({ sdk, client, name }: Bucket, key: string, part: Part | undefined) {
  const Range = part === undefined ? {} : { Range: `bytes=${part.first}-${part.last}` }
  const command = new sdk.GetObjectCommand({ Bucket: name, Key: key, ...Range })
  const { Body } = await asked(key, (abortSignal) => client.send(command, { abortSignal }))
  if (!(Body instanceof Readable)) throw new StorageUnavailable('the object came without a body')
  return withIdleLimit(Body, IDLE_MS, s3Error)
}

async function sizeOf({ sdk, client, name }: Bucket, key: string): Promise<number> {
  const command = new sdk.HeadObjectCommand({ Bucket: name, Key: key })
  const { ContentLength } = await asked(key, (abortSignal) => client.send(command, { abortSignal }))
  return ContentLength ?? 0
}

/**
 * Throws StorageUnavailable unless the bucket is there and accepts our key. Asks with GET: the
 * response to HEAD has no body, so a missing bucket would look like a missing object.
 */
async function check({ sdk, client, name }: Bucket): Promise<void> {
  const command = new sdk.GetObjectCommand({ Bucket: name, Key: CHECK_KEY })
  try {
    const { Body } = await asked(CHECK_KEY, (abortSignal) => client.send(command, { abortSignal }))
    if (Body instanceof Readable) Body.destroy()
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
  }
}

async function remove({ sdk, client, name }: Bucket, key: string): Promise<void> {
  const command = new sdk.DeleteObjectCommand({ Bucket: name, Key: key })
  await asked(key, (abortSignal) => client.send(command, { abortSignal }))
}

/** Runs a short request to the bucket. Throws FileMissing if there is no object under the key. */
async function asked<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await limited(ANSWER_MS, ({ signal }) => ask(signal))
  } catch (error) {
    throw isGone(error) ? new FileMissing(key) : s3Error(error)
  }
}
