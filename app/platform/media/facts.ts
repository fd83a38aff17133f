import { z } from 'zod'

/** What is known about a delivered clip. `poster` tells whether its picture could be made. */
export const clipFacts = z.object({
  codec: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  durationMs: z.number().nonnegative(),
  poster: z.boolean(),
})
export type ClipFacts = z.output<typeof clipFacts>

export type ClipInspection = { ok: true; facts: ClipFacts } | { ok: false; reason: string }

/** What the inspecting child prints, one JSON line. */
export const inspectionReport = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), facts: clipFacts }),
  z.object({ ok: z.literal(false), reason: z.string() }),
])
