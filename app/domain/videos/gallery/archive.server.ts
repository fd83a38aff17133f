import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import sql from 'sql-template-tag'
import { fileNameWords } from '~/lib/text'
import { layOutZip, type ZipEntry, type ZipLayout } from '~/lib/zip.server'
import { FileMissing } from '~/platform/storage/port'
import type { UserCtx } from '../../context'
import { AppError } from '../../errors'
import type { VideoChoice } from './choice'
import { listChosen, type ChosenVideo } from './chosen.server'

/** Files that are looked at together before an archive begins. */
const LOOKS_AT_ONCE = 64

export type Archive = {
  layout: ZipLayout
  /** The same for the same bytes, so that a download can go on where it broke off. */
  tag: string
  /** How many of the chosen videos are in it. */
  count: number
  /** Bytes of an entry's content. */
  read: (index: number, from: number, to: number) => AsyncIterable<Uint8Array>
}

type Source = { bytes: Buffer } | { fileKey: string }

/**
 * An archive of the chosen videos that are finished, in the order of their prompts, and of a list of
 * all of them that says why the others are not in it. Nothing is read yet, but every byte has its
 * place. Throws NOT_FOUND when none of them is finished.
 */
export async function planArchive(ctx: UserCtx, choice: VideoChoice): Promise<Archive> {
  const videos = await listChosen(ctx, choice)
  if (!videos.some(({ status }) => status === 'completed')) throw nothingToDownload()
  const lines = await lookAt(ctx, videos)
  const list = await listOf(lines)
  const newest = Math.max(
    ...videos.map(({ createdAt, completedAt }) => +(completedAt ?? createdAt)),
  )
  const entries: ZipEntry[] = [
    { name: 'prompts.csv', bytes: list.length, crc32: crc32(list), modifiedAt: new Date(newest) },
  ]
  const sources: Source[] = [{ bytes: list }]
  const hash = createHash('sha256').update(list)
  for (const { entry, fileKey, sha256 } of lines.flatMap(({ file }) => file ?? [])) {
    entries.push(entry)
    sources.push({ fileKey })
    hash.update(`${entry.name}\0${sha256}\0`)
  }
  return {
    layout: layOutZip(entries),
    tag: hash.digest('base64url'),
    count: entries.length - 1,
    read: (index, from, to) => readSource(ctx, sources[index], { from, to }),
  }
}

export const nothingToDownload = (): AppError =>
  new AppError('NOT_FOUND', 'No completed videos found')

async function* readSource(
  { storage }: UserCtx,
  source: Source | undefined,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Uint8Array> {
  if (!source) return
  if ('bytes' in source) yield source.bytes.subarray(from, to)
  else yield* chunksOf(await storage.open(source.fileKey, { first: from, last: to - 1 }))
}

/** What a stream without an encoding gives. */
const chunksOf = (stream: AsyncIterable<Buffer>): AsyncIterable<Buffer> => stream

type Line = {
  number: number
  video: ChosenVideo
  /** Missing when the video is not in the archive; `note` says why. */
  file?: { entry: ZipEntry; fileKey: string; sha256: string }
  note: string
}

/** What lies in the storage: its size, null where nothing does, and its checksum. */
type Found = { size: number | null; crc32: number }

function lineOf(
  ctx: UserCtx,
  video: ChosenVideo,
  { number, found }: { number: number; found: Found | undefined },
): Line {
  const { status, fileKey, bytes, sha256, completedAt, createdAt } = video
  if (status !== 'completed' || !found) return { number, video, note: reasonOf(video) }
  if (fileKey === null || sha256 === null || found.size === null || found.size !== bytes) {
    ctx.log.error(
      { videoId: video.id, expected: bytes, found: found.size },
      'a clip is not in the storage',
    )
    return { number, video, note: 'Not included: the file is missing' }
  }
  const name = `${String(number).padStart(3, '0')}_${fileNameWords(video.prompt)}.mp4`
  const entry = { name, bytes, crc32: found.crc32, modifiedAt: completedAt ?? createdAt }
  return { number, video, file: { entry, fileKey, sha256 }, note: '' }
}

/** The lines of the list, for which the files of the finished videos are looked at, several at once. */
async function lookAt(ctx: UserCtx, videos: readonly ChosenVideo[]): Promise<Line[]> {
  const lines: Line[] = []
  const left = videos.entries()
  const look = async () => {
    for (const [index, video] of left) {
      const found = video.status === 'completed' ? await find(ctx, video) : undefined
      lines[index] = lineOf(ctx, video, { number: index + 1, found })
    }
  }
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look))
  return lines
}

async function find(
  ctx: UserCtx,
  { id, fileKey, bytes, crc32: known }: ChosenVideo,
): Promise<Found> {
  const size = fileKey === null ? null : await sizeOf(ctx, fileKey)
  const isWhole = fileKey !== null && size === bytes
  return { size, crc32: known ?? (isWhole ? await learnChecksum(ctx, id, fileKey) : 0) }
}

async function sizeOf({ storage }: UserCtx, fileKey: string): Promise<number | null> {
  try {
    return await storage.size(fileKey)
  } catch (error) {
    if (error instanceof FileMissing) return null
    throw error
  }
}

function reasonOf({ status, errorMessage }: ChosenVideo): string {
  return status === 'error'
    ? `Not included: ${errorMessage ?? 'it failed'}`
    : 'Not included: it is still being made'
}

/** Clips are stored with their checksum; for one that has none it is worked out once and kept. */
async function learnChecksum(
  { db, storage }: UserCtx,
  id: string,
  fileKey: string,
): Promise<number> {
  let checksum = 0
  for await (const bytes of chunksOf(await storage.open(fileKey))) {
    checksum = crc32(bytes, checksum)
  }
  await db.run(sql`
    update videos set file_crc32 = ${checksum} where id = ${id} and file_crc32 is null`)
  return checksum
}

const COLUMNS = [
  'number',
  'file',
  'prompt',
  'negative_prompt',
  'aspect_ratio',
  'status',
  'created_at',
  'note',
]

/** The list inside: every chosen video, one a row, for spreadsheets. */
async function listOf(lines: readonly Line[]): Promise<Buffer> {
  const texts: string[] = []
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const isFirst = from === 0
    // A prompt that begins like a formula stays text.
    const options = { header: isFirst, columns: COLUMNS, bom: isFirst, escape_formulas: true }
    texts.push(stringify(lines.slice(from, from + LINES_AT_ONCE).map(rowOf), options))
    await setImmediate()
  }
  return Buffer.from(texts.join(''))
}

/** Lines that are written before others are served again. */
const LINES_AT_ONCE = 500

const rowOf = ({ number, video, file, note }: Line) => [
  number,
  file?.entry.name ?? '',
  video.prompt,
  video.negativePrompt ?? '',
  video.aspectRatio,
  video.status === 'error' ? 'failed' : video.status,
  video.createdAt.toISOString(),
  note,
]
