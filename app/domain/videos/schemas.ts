import { z } from 'zod'
import { isCleanText, text } from '~/lib/fields'
import { VIDEO_LIMITS } from './rules'
import { ASPECT_RATIOS } from './types'

const CANNOT_BE_STORED = 'contains characters that cannot be stored'

/** Trimmed, not empty; one cap for singles and for each line of a batch (decision Q-37). */
export const promptText = text({
  label: 'Prompt',
  max: VIDEO_LIMITS.promptCharacters * 2, // before trimming; the cap on what is kept follows
  tooShort: 'Please enter a prompt',
})
  .transform((value) => value.trim())
  .refine((value) => value.length > 0, 'Please enter a prompt')
  .refine(
    (value) => Array.from(value).length <= VIDEO_LIMITS.promptCharacters,
    `Prompt can have at most ${VIDEO_LIMITS.promptCharacters.toLocaleString('en')} characters`,
  )

/** Optional; blanks count as none. Too long is refused, never cut (decision Q-36). */
export const negativePrompt = z
  .string({ invalid_type_error: 'Negative prompt must be text' })
  .nullish()
  .transform((value) => {
    const trimmed = value?.trim() ?? ''
    return trimmed === '' ? null : trimmed
  })
  .refine((value) => value === null || isCleanText(value), `Negative prompt ${CANNOT_BE_STORED}`)
  .refine(
    (value) => value === null || Array.from(value).length <= VIDEO_LIMITS.negativePromptCharacters,
    `Negative prompt can have at most ${VIDEO_LIMITS.negativePromptCharacters} characters`,
  )

export const aspectRatio = z.enum(ASPECT_RATIOS, {
  errorMap: () => ({ message: 'Aspect ratio must be portrait or landscape' }),
})

export const generateVideoInput = z.object({
  prompt: promptText,
  negativePrompt,
  aspectRatio: aspectRatio.default('portrait'),
})
export type GenerateVideoInput = z.output<typeof generateVideoInput>

const page = (fallback: number, max: number, name: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .optional()
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .refine((value) => value >= 1, `${name} must be at least 1`)
    .transform((value) => Math.min(value, max))

/** Filters of the list call and of the galleries' addresses. 'pending' means in progress (Q-25). */
export const videoListQuery = z.object({
  page: page(1, 1_000_000, 'page'),
  limit: page(20, VIDEO_LIMITS.pageSize, 'limit'),
  status: z.enum(['all', 'completed', 'pending', 'error']).default('all'),
  aspectRatio: z.enum(['all', ...ASPECT_RATIOS]).default('all'),
  search: z.string().max(100).default(''),
  scope: z.enum(['mine', 'all']).optional(),
})
export type VideoListQuery = z.output<typeof videoListQuery>

/** What a delete-by-status call names; an unknown or missing status is refused, never 'all'. */
export const deleteByStatusQuery = z.object({
  status: z.enum(['all', 'completed', 'pending', 'error'], {
    errorMap: () => ({ message: 'status must be all, completed, pending or error' }),
  }),
  aspectRatio: z.enum(['all', ...ASPECT_RATIOS]).default('all'),
})
export type DeleteByStatusQuery = z.output<typeof deleteByStatusQuery>
