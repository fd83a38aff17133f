import { z } from 'zod'

const clipFacts = z.object({
  codec: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  durationMs: z.number().nonnegative(),
  /** Whether a poster could be created. A clip is valid without one. */
  poster: z.boolean(),
})

/**
 * The result of inspecting a finished clip before it counts as delivered. The child process that
 * inspects it reports this.
 */
export const clipInspection = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), facts: clipFacts }),
  z.object({ ok: z.literal(false), reason: z.string() }),
])
export type ClipInspection = z.output<typeof clipInspection>

export type InspectInput = { path: string; posterPath: string; signal: AbortSignal }

/**
 * Checks a clip before it counts as delivered: that it is a complete, playable MP4. Writes its poster
 * to `posterPath` and beside it (`filesOf`) if one can be made. A bad clip is a result; throws only
 * if aborted or if the file cannot be read.
 */
export type InspectClip = (input: InspectInput) => Promise<ClipInspection>

/** What the child process that joins clips reports: each copied clip, and how it ended. */
export const joinReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('copied'), clips: z.number().int() }),
  z.object({ kind: z.literal('joined'), lostSound: z.boolean() }),
  /** Their settings differ, so one file cannot contain them without encoding them again. */
  z.object({ kind: z.literal('different') }),
  z.object({ kind: z.literal('unreadable'), reason: z.string() }),
  z.object({ kind: z.literal('no-room') }),
])
export type JoinReport = z.output<typeof joinReport>
export type ClipJoin = Exclude<JoinReport, { kind: 'copied' }>

export type JoinInput = {
  /** The clips on this machine, in order. */
  paths: readonly string[]
  /** The file that is written. After a failure it may contain a part. */
  target: string
  /** Called after each clip with the number of clips copied so far. */
  onCopied: (clips: number) => void
}

/**
 * Joins clips into one MP4 without encoding them again, in memory that does not depend on their
 * size. The pictures of all must have the same codec, settings and size. The sound is kept if all
 * have sound of one kind. The same clips become the same bytes. Clips that do not fit or cannot be read
 * are a result; never throws.
 */
export type JoinClips = (input: JoinInput) => Promise<ClipJoin>

/** A picture that was encoded again. `hash` identifies what it shows, whatever file it came in. */
export type Redrawn =
  | { ok: true; jpeg: Buffer; hash: string; isWide: boolean }
  | { ok: false; why: 'no-picture' | 'not-whole' | 'too-many-pixels' | 'too-small' }

/** How a picture fills the frame of a video. */
export type Fit = {
  /** `nearest`: the one that cuts off less. */
  ratio: 'portrait' | 'landscape' | 'nearest'
  /** Where the frame lies along the side that is cut, from 0 (left or top) to 1. */
  at: number
}

/**
 * What a picture is for. Those of videos wait for no receipts, customers' receipts for no visitors', and nobody
 * for more than one of each other caller (an account or a network).
 */
export type PictureWish =
  | { of: 'video'; caller: string; fit: Fit }
  | { of: 'customer' | 'visitor'; caller: string; fit?: undefined }

/**
 * Decodes a PNG or JPEG and encodes it as a JPEG of at most 1,600 pixels a side. For a video it may also
 * be a WebP, must not be tiny, and becomes 720x1280 or 1280x720. Upright, and without metadata.
 */
export type Redraw = (bytes: Buffer, wish: PictureWish) => Promise<Redrawn>

/** Returns the last picture of a clip on this machine, upright, as a JPEG. Null if it cannot be decoded. */
export type LastPicture = (path: string) => Promise<Buffer | null>
