import { z } from 'zod'

export const submitAnswer = z.object({ id: z.string().min(1) })

export const task = z.object({
  id: z.string(),
  status: z.string(),
  progress: z.number().nullish().catch(undefined),
  output: z.array(z.string()).nullish().catch(undefined),
  failure: z.string().nullish().catch(undefined),
  failureCode: z.string().nullish().catch(undefined),
})
export type WireTask = z.output<typeof task>

/** The body of every rejection. */
export const errorBody = z.object({ error: z.string() })
