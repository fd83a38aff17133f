import { z } from 'zod'
import { readDay } from '~/lib/day'
import { oneOf, optionalText, trimmedText } from '~/lib/fields'
import { isId } from '~/lib/ids'
import { isCleanText, nameOnOneLine } from '~/lib/text'
import { eachText, ORDER_TEXTS } from './order-fields'
import { COLLECTION_LIMITS } from './collections'
import { VIDEO_LIMITS } from './rules'
import { cleanName, VIDEO_NAME_CHARACTERS } from './video-names'
import { ASPECT_RATIOS, REASONS, SPANS, STATUS_FILTERS } from './types'

const CANNOT_BE_STORED = 'contains characters that cannot be stored'

/** What accepting one video returns. */
export const videoReceipt = z.object({ id: z.string() })
export type VideoReceipt = z.output<typeof videoReceipt>

/** Trimmed and not empty. Singles and each line of a batch have the same limit (decision Q-37). */
export const promptText = trimmedText({
  label: 'Prompt',
  max: VIDEO_LIMITS.promptCharacters,
  tooShort: 'Please enter a prompt',
})

/**
 * The fields of an order beside the prompt. A text that is too long is rejected, not cut (decision
 *
 */
export const orderFields = {
  ...eachText((name) => optionalText(ORDER_TEXTS[name])),
  aspectRatio: oneOf('Aspect ratio', ASPECT_RATIOS).default('portrait'),
}

/**
 * The name of one video. Left out if it is not given, so that requests without it have the keys' old
 * hashes.
 */
export const videoName = z
  .preprocess(
    (value) => (typeof value === 'string' ? cleanName(value) : value),
    optionalText({ label: 'Name', max: VIDEO_NAME_CHARACTERS }),
  )
  .optional()

export const generateVideoInput = z.object({ prompt: promptText, ...orderFields, name: videoName })
export type GenerateVideoInput = z.output<typeof generateVideoInput>

const page = (fallback: number, max: number, name: string) =>
  z
    .string({ invalid_type_error: `${name} must be a whole number` })
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .optional()
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .refine((value) => value >= 1, `${name} must be at least 1`)
    .transform((value) => Math.min(value, max))

/** 'pending' means in progress (decision Q-25). */
export const statusFilter = oneOf('status', STATUS_FILTERS)

export const ratioFilter = oneOf('aspectRatio', ['all', ...ASPECT_RATIOS])

export const searchFilter = z
  .string({ invalid_type_error: 'search must be text' })
  .max(
    VIDEO_LIMITS.searchCharacters,
    `search can have at most ${VIDEO_LIMITS.searchCharacters} characters`,
  )
  .refine(isCleanText, `search ${CANNOT_BE_STORED}`)

const day = (name: string) =>
  z
    .string({ invalid_type_error: `${name} must be a day` })
    .transform((text) => (text === '' ? undefined : text))
    .refine(
      (text) => text === undefined || readDay(text) !== null,
      `${name} must be a day, as YYYY-MM-DD`,
    )

/** When a video was created, in the platform's time zone. Empty fields of a form filter nothing. */
const createdFilter = {
  days: oneOf('days', SPANS).optional(),
  first: day('first').optional(),
  last: day('last').optional(),
  since: z
    .string({ invalid_type_error: 'since must be a time' })
    .datetime('since must be a time, as 2026-11-27T14:10:00.000Z')
    .optional(),
}

/** Why a video failed. An empty field of a form filters nothing. */
export const reasonFilter = z
  .literal('')
  .transform(() => undefined)
  .or(oneOf('reason', REASONS))
  .optional()

const idFilter = (name: string) =>
  z
    .string({ invalid_type_error: `${name} must be an id` })
    .refine(isId, `${name} must be an id`)
    .optional()

/** Filters beyond state, ratio and text. Missing means all. */
export const moreFilters = {
  ...createdFilter,
  /** Id of a batch whose videos are listed in the order of its prompts. */
  inOrder: idFilter('inOrder'),
  /** Id of a collection whose clips are listed. */
  collection: idFilter('collection'),
  starred: oneOf('starred', ['yes']).optional(),
}

/** Id of a user; '' for all. */
export const ownerFilter = z
  .string({ invalid_type_error: 'user must be an id' })
  .refine((id) => id === '' || isId(id), 'user must be an id')
  .transform((id) => (id === '' ? null : id))

/** Filters of the list call and of gallery addresses. */
export const videoListQuery = z.object({
  page: page(1, 1_000_000, 'page'),
  limit: page(20, VIDEO_LIMITS.pageSize, 'limit'),
  status: statusFilter.default('all'),
  aspectRatio: ratioFilter.default('all'),
  search: searchFilter.default(''),
  ...moreFilters,
  /** Words of the prompt, in the list of all users' videos. */
  words: searchFilter.default(''),
  /** Restricts all users' videos to one owner. */
  user: ownerFilter.default(''),
  reason: reasonFilter,
  scope: z
    .enum(['mine', 'all'], { errorMap: () => ({ message: 'scope must be mine or all' }) })
    .optional(),
})
export type VideoListQuery = z.output<typeof videoListQuery>

/**
 * Query of a delete-by-status call. An unknown or missing status is rejected and never means 'all'.
 */
export const deleteByStatusQuery = z.object({
  status: statusFilter,
  aspectRatio: ratioFilter.default('all'),
})
export type DeleteByStatusQuery = z.output<typeof deleteByStatusQuery>

/**
 * Query of a gallery's address: the filters of the list, but invalid values fall back to defaults,
 * so that a mistyped address still shows a page.
 */
export const galleryQuery = z.object({
  page: page(1, 1_000_000, 'page').catch(1),
  status: videoListQuery.shape.status.catch('all'),
  aspectRatio: videoListQuery.shape.aspectRatio.catch('all'),
  search: videoListQuery.shape.search.catch(''),
  days: moreFilters.days.catch(undefined),
  first: moreFilters.first.catch(undefined),
  last: moreFilters.last.catch(undefined),
  inOrder: moreFilters.inOrder.catch(undefined),
  collection: moreFilters.collection.catch(undefined),
  starred: moreFilters.starred.catch(undefined),
})

/** A new prompt for an existing video. */
export const editVideoInput = z.object({ prompt: promptText })

/** How long a link works, in days. Empty: until it is ended. */
export const SHARE_DAYS = ['1', '7', '30', ''] as const

/** The form that creates a link to a clip. */
export const shareLinkForm = z.object({
  days: z
    .enum(SHARE_DAYS)
    .default('')
    .transform((days) => (days === '' ? null : Number(days))),
  showsPrompt: z.boolean().default(false),
})
export type ShareLinkInput = z.output<typeof shareLinkForm>
/** The same as JSON. */
export const shareLinkCall = z.object({
  days: z.number().int().min(1).max(365).nullable().default(7),
  showsPrompt: z.boolean().default(false),
})
/** The form that ends one. */
export const endShareForm = z.object({ token: z.string({ required_error: 'No link was named' }) })

/** Form about one video of a gallery. */
export const oneVideoForm = z.object({ on: z.string({ required_error: 'No video was named' }) })

/** The form of a gallery that creates a link to one of its clips. */
export const shareVideoForm = shareLinkForm.extend(oneVideoForm.shape)

/** Undoes a deletion, which is named by its time. */
export const undoForm = z.object({ on: z.string().datetime('No deletion was named') })

/** The edit dialog's form. */
export const editVideoForm = oneVideoForm.extend({ prompt: promptText })

/** The selected videos of a list. */
export const selectedVideosForm = z.object({
  ids: z.array(z.string()).min(1, 'No videos selected'),
})

/** The ticked videos of a list whose page says that nothing is ticked. */
export const tickedVideosForm = z.object({ ids: z.array(z.string()).default([]) })

/** The name of a collection: trimmed, on one line. */
const collectionName = z.preprocess(
  (value) => (typeof value === 'string' ? nameOnOneLine(value) : value),
  trimmedText({
    label: 'Name',
    max: COLLECTION_LIMITS.nameCharacters,
    tooShort: 'Please enter a name',
  }),
)

/** Input of the call and the form that create a collection, or give one another name. */
export const collectionInput = z.object({ name: collectionName })

/** Form about one collection. */
export const oneCollectionForm = z.object({
  on: z.string({ required_error: 'No collection was named' }),
})
/** The form that renames one. */
export const renameCollectionForm = oneCollectionForm.extend({ name: collectionName })

/** The form that puts clips into a collection: a new one if it has a name. */
export const intoCollectionForm = z
  .object({ into: z.string().optional(), name: collectionName.optional() })
  .transform(({ into, name }, ctx) => {
    if (name !== undefined) return { name }
    if (into !== undefined && into !== '') return { id: into }
    ctx.addIssue({ code: 'custom', path: ['name'], message: 'Choose a collection or enter a name' })
    return z.NEVER
  })

/** The form that takes clips out of a collection. */
export const outOfCollectionForm = z.object({
  outOf: z.string({ required_error: 'No collection was named' }),
})
