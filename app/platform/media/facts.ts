import { z } from 'zod'

/** The facts of a delivered clip. `poster` is whether a poster could be made. */
export const clipFacts = z.object({
  codec: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  durationMs: z.number().nonnegative(),
  poster: z.boolean(),
})
export type ClipFacts = z.output<typeof clipFacts>

export type ClipInspection = { ok: true; facts: ClipFacts } | { ok: false; reason: string }

/** The report of the inspecting child process. */
export const inspectionReport = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), facts: clipFacts }),
  z.object({ ok: z.literal(false), reason: z.string() }),
])
