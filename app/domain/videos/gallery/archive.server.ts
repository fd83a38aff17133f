import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { stringify } from 'csv-stringify/sync'
import { isoIn } from '~/lib/time'
import { layOutZip, type ZipEntry, type ZipLayout } from '~/lib/zip.server'
import { nullIfMissing } from '~/platform/storage/port'
import type { UserCtx } from '../../context'
import { AppError } from '../../errors'
import { ORDER_TEXTS, TEXT_NAMES } from '../order-fields'
import { postOf } from '../posting'
import { clipName, wholeNameWords } from '../file-names.server'
import type { VideoChoice } from './choice'
import { findCollectionName, listChosen, type ChosenVideo } from './chosen.server'

/** The name of an archive that is not of a collection. */
export const VIDEOS = 'videos'

/** Number of files checked in parallel before an archive starts. */
const LOOKS_AT_ONCE = 64

export type Archive = {
  /** What its file is named after, in words of a file name. */
  name: string
  layout: ZipLayout
  /** Identical for identical bytes, so that an interrupted download can be resumed. */
  tag: string
  /** Reads a range of an entry's content. */
  read: (index: number, from: number, to: number) => AsyncIterable<Uint8Array>
}

type Source = { bytes: Buffer } | { fileKey: string }

/**
 * Plans a ZIP archive of the chosen videos that are finished, in the order of their prompts, with a list of
 * all chosen videos that explains why the others are missing, and the posting list. No clip is read yet, but
 * the layout of all bytes is known. Throws NOT_FOUND if none of the videos is finished.
 */
export async function planArchive(ctx: UserCtx, choice: VideoChoice): Promise<Archive> {
  const videos = await listChosen(ctx, choice)
  if (!videos.some(({ status }) => status === 'completed')) throw nothingToDownload()
  const lines = await lookAt(ctx, videos)
  const list = await csvOf(COLUMNS, lines, rowOf)
  const clips = lines.flatMap(({ video, file }) => (file ? { ...file, video } : []))
  const posts = await postsOf(
    ctx,
    clips.map(({ entry, video }) => ({ name: entry.name, video })),
  )
  const newest = Math.max(
    ...videos.map(({ createdAt, completedAt }) => +(completedAt ?? createdAt)),
  )
  const modifiedAt = new Date(newest)
  const entries: ZipEntry[] = [
    { name: 'prompts.csv', bytes: list.length, crc32: crc32(list), modifiedAt },
    { name: 'posting-list.csv', bytes: posts.length, crc32: crc32(posts), modifiedAt },
  ]
  const sources: Source[] = [{ bytes: list }, { bytes: posts }]
  const hash = createHash('sha256').update(list).update(posts)
  for (const { entry, fileKey, sha256 } of clips) {
    entries.push(entry)
    sources.push({ fileKey })
    hash.update(`${entry.name}\0${sha256}\0`)
  }
  const collection = await findCollectionName(ctx, choice)
  return {
    name: wholeNameWords(collection ?? '', VIDEOS),
    layout: layOutZip(entries),
    tag: hash.digest('base64url'),
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

/** Types the chunks: a stream without an encoding yields buffers. */
const chunksOf = (stream: AsyncIterable<Buffer>): AsyncIterable<Buffer> => stream

type Line = {
  number: number
  video: ChosenVideo
  /** Missing if the video is not in the archive. `note` gives the reason. */
  file?: { entry: ZipEntry; fileKey: string; sha256: string }
  note: string
}

/** A file in the storage: its size (null if it does not exist) and its checksum. */
type Found = { size: number | null; crc32: number }

function lineOf(ctx: UserCtx, video: ChosenVideo, found: Found | undefined): Line {
  const { number, status, fileKey, bytes, sha256, completedAt, createdAt } = video
  if (status !== 'completed' || !found) return { number, video, note: reasonOf(video) }
  if (fileKey === null || sha256 === null || found.size === null || found.size !== bytes) {
    ctx.log.error(
      { videoId: video.id, expected: bytes, found: found.size },
      'a clip is missing in the storage or has the wrong size',
    )
    return { number, video, note: 'Not included: the file is missing' }
  }
  const name = `${clipName(ctx, video)}.mp4`
  const entry = { name, bytes, crc32: found.crc32, modifiedAt: completedAt ?? createdAt }
  return { number, video, file: { entry, fileKey, sha256 }, note: '' }
}

/** Returns the lines of the list. Checks the files of finished videos, several in parallel. */
async function lookAt(ctx: UserCtx, videos: readonly ChosenVideo[]): Promise<Line[]> {
  const lines: Line[] = []
  const left = videos.entries()
  const look = async () => {
    for (const [index, video] of left) {
      const found = video.status === 'completed' ? await find(ctx, video) : undefined
      lines[index] = lineOf(ctx, video, found)
    }
  }
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look))
  return lines
}

async function find(
  ctx: UserCtx,
  { id, fileKey, bytes, crc32: known }: ChosenVideo,
): Promise<Found> {
  const size = fileKey === null ? null : await nullIfMissing(() => ctx.storage.size(fileKey))
  const isWhole = fileKey !== null && size === bytes
  return { size, crc32: known ?? (isWhole ? await learnChecksum(ctx, id, fileKey) : 0) }
}

function reasonOf({ status, errorMessage }: ChosenVideo): string {
  return status === 'error'
    ? `Not included: ${errorMessage ?? 'it failed'}`
    : 'Not included: it is still being made'
}

/** Computes and stores the checksum of a clip that was stored without one. */
async function learnChecksum(
  { db, storage }: UserCtx,
  id: string,
  fileKey: string,
): Promise<number> {
  let checksum = 0
  for await (const bytes of chunksOf(await storage.open(fileKey))) {
    checksum = crc32(bytes, checksum)
  }
  await db.prisma(({ video }) =>
    video.updateMany({ where: { id, fileCrc32: null }, data: { fileCrc32: checksum } }),
  )
  return checksum
}

const COLUMNS = [
  'number',
  'file',
  'name',
  'prompt',
  ...TEXT_NAMES.map((name) => ORDER_TEXTS[name].column),
  'aspect_ratio',
  'status',
  'created_at',
  'note',
]

/** Builds a list as CSV for spreadsheets. */
async function csvOf<Item>(
  columns: string[],
  items: readonly Item[],
  toRow: (item: Item) => readonly (string | number)[],
): Promise<Buffer> {
  const texts: string[] = []
  for (let from = 0; from < items.length; from += LINES_AT_ONCE) {
    const isFirst = from === 0
    // Keeps spreadsheets from evaluating a prompt that starts like a formula.
    const options = { header: isFirst, columns, bom: isFirst, escape_formulas: true }
    texts.push(stringify(items.slice(from, from + LINES_AT_ONCE).map(toRow), options))
    await setImmediate()
  }
  return Buffer.from(texts.join(''))
}

/** Lines written before the event loop gets a turn. */
const LINES_AT_ONCE = 500

/**
 * Builds what a scheduler posts as CSV: a row for each clip, named as in the archive of the same choice.
 * Throws NOT_FOUND if none of the videos is finished.
 */
export async function postingList(ctx: UserCtx, choice: VideoChoice): Promise<Buffer> {
  const videos = (await listChosen(ctx, choice)).filter(({ status }) => status === 'completed')
  if (videos.length === 0) throw nothingToDownload()
  return postsOf(
    ctx,
    videos.map((video) => ({ name: `${clipName(ctx, video)}.mp4`, video })),
  )
}

type Clip = { name: string; video: ChosenVideo }

function postsOf({ settings }: UserCtx, clips: readonly Clip[]): Promise<Buffer> {
  const timeOf = isoIn(settings.timeZone)
  return csvOf(['file', 'title', 'text', 'tags', 'time'], clips, ({ name, video }) => {
    const { title, text, tags } = postOf(video)
    return [name, title, text, tags.join(' '), timeOf(video.completedAt ?? video.createdAt)]
  })
}

const rowOf = ({ number, video, file, note }: Line) => [
  number,
  file?.entry.name ?? '',
  video.name ?? '',
  video.prompt,
  ...TEXT_NAMES.map((name) => video[name] ?? ''),
  video.aspectRatio,
  video.status === 'error' ? 'failed' : video.status,
  video.createdAt.toISOString(),
  note,
]
