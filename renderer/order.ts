import { z } from 'zod'

/** The content of an `order.json`. Other fields are ignored. */
export const renderOrder = z.object({
  prompt: z.string(),
  negativePrompt: z.string().nullable(),
  aspectRatio: z.enum(['portrait', 'landscape']),
  durationSeconds: z.number().int().min(4).max(8),
  seed: z.number(),
  /** Whether the clip begins with `picture.jpg` beside the order. */
  hasPicture: z.boolean().default(false),
  /** Whether it ends with `end-picture.jpg`. */
  hasEndPicture: z.boolean().default(false),
})
export type RenderOrder = z.output<typeof renderOrder>
