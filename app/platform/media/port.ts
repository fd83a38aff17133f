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

/** A picture that was encoded again. `hash` identifies what it shows, whatever file it came in. */
export type Redrawn = { ok: true; jpeg: Buffer; hash: string } | { ok: false }

/** Decodes a PNG or JPEG and encodes it as a JPEG of at most 1,600 pixels a side. */
export type Redraw = (bytes: Buffer) => Promise<Redrawn>
