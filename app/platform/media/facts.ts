import { z } from 'zod'

const clipFacts = z.object({
  codec: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  durationMs: z.number().nonnegative(),
  poster: z.boolean(),
})

/** The report of the inspecting child process. */
export const inspectionReport = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), facts: clipFacts }),
  z.object({ ok: z.literal(false), reason: z.string() }),
])
