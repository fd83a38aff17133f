import { z } from 'zod'

/** The server's list of orders. It is read strictly: what is not in it may be ordered again. */
export const jobList = z.object({
  data: z.array(
    z.object({
      id: z.union([z.string().min(1), z.number().int()]).transform(String),
      prompt: z.string().nullish(),
      size: z.string().nullish(),
      seconds: z.union([z.string(), z.number()]).nullish(),
      created_at: z.number(),
    }),
  ),
  has_more: z.boolean().nullish(),
})
export type WireListed = z.output<typeof jobList>['data'][number]
