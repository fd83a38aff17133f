import { z } from 'zod'
import { nameOnOneLine, trimText } from '~/lib/text'
import { optionalText, pastedText } from '~/lib/fields'
import { eachText, ORDER_TEXTS } from '../videos/order-fields'
import { orderFields, promptText, videoName } from '../videos/schemas'
import { MOST_DRAFT_PICTURES, type DraftPicture } from '../videos/requests/pictures'
import type { OrderFields, SharedFields } from '../videos/types'
import type { OwnSettings } from './types'
import { BATCH_NAME_CHARACTERS } from './names'
import {
  NO_PROMPTS,
  parsePromptLines,
  problemsOf,
  withoutListSigns,
  type PromptLine,
} from './rules'

function refineAll(place: string) {
  return (prompts: readonly PromptLine[], ctx: z.RefinementCtx): string[] => {
    for (const message of problemsOf(prompts, place)) {
      ctx.addIssue({ code: z.ZodIssueCode.custom, message })
    }
    return prompts.map(({ text }) => text)
  }
}

const NOT_TEXT = 'Prompts must be text'

/** Undefined unless ticked: requests without it keep the idempotency hash that they had before it. */
const choice = z
  .boolean()
  .optional()
  .transform((isMade) => (isMade === true ? isMade : undefined))

/** What one prompt of a batch has of its own (`OwnSettings`). */
export const ownSettings = z.object({
  ...eachText((name) => optionalText(ORDER_TEXTS[name]).optional()),
  aspectRatio: orderFields.aspectRatio.removeDefault().optional(),
  name: videoName,
})

const NO_PICTURE_NAME = 'Picture must be the name of one of the pictures'

/** The name of one of the pictures of the same call. */
const pictureName = z
  .string({ invalid_type_error: NO_PICTURE_NAME })
  .refine((name) => trimText(name) !== '', NO_PICTURE_NAME)
  .nullish()
  .transform((name) => name ?? undefined)

const promptWithSettings = ownSettings.extend({
  prompt: z.string({ required_error: NOT_TEXT, invalid_type_error: NOT_TEXT }),
  picture: pictureName,
  endPicture: pictureName,
})

/** Returns the settings of each prompt, or undefined if none has any of its own. */
export const ownOfEach = (own: readonly OwnSettings[]): readonly OwnSettings[] | undefined =>
  own.some((settings) => Object.values(settings).some((value) => value !== undefined))
    ? own
    : undefined

/** Reads an array of texts, and of objects with a text and settings. Drops blank prompts, like blank lines. */
function readPrompts(items: readonly unknown[], ctx: z.RefinementCtx) {
  const lines = items.flatMap((item, index) => {
    const line = index + 1
    const read = promptWithSettings.safeParse(typeof item === 'string' ? { prompt: item } : item, {
      // Neither a text nor an object. What is wrong inside one is named by its own schema.
      errorMap: ({ path }, { defaultError }) => ({
        message: path.length === 0 ? NOT_TEXT : defaultError,
      }),
    })
    for (const { message } of read.error?.issues ?? [])
      ctx.addIssue({
        code: z.ZodIssueCode.custom,
        path: [index],
        message: message === NOT_TEXT ? message : `Prompt ${line}: ${message}`,
      })
    return read.success ? [{ line, text: trimText(read.data.prompt), settings: read.data }] : []
  })
  const kept = lines.filter(({ text }) => text !== '')
  // Without the ones that are no prompts it is no other list.
  const isRead = lines.length === items.length
  const named = kept.map(({ settings }) => settings.picture ?? null)
  const ends = kept.map(({ settings }) => settings.endPicture ?? null)
  return {
    prompts: isRead ? refineAll('Prompt')(kept, ctx) : [],
    own: ownOfEach(
      kept.map(({ settings: { prompt: _, picture: _name, endPicture: _end, ...own } }) => own),
    ),
    // Left out if there are none, so that requests without it have the keys' old hashes.
    ...(named.some((name) => name !== null) && { named }),
    ...(ends.some((name) => name !== null) && { ends }),
  }
}

const TOO_MANY_PICTURES = `At most ${MOST_DRAFT_PICTURES} pictures in a batch`

/** A picture that a program sends with a batch. */
const sentFile = z.object({
  name: z
    .string({ required_error: 'Each picture needs a name' })
    .min(1, 'Each picture needs a name'),
  data: z.string({ required_error: 'Each picture needs its data' }),
})

/** Input of the API call: an array of prompts, each of which may have settings of its own. */
export const startBatchInput = z
  .object({
    prompts: z
      .array(z.unknown(), {
        required_error: NO_PROMPTS,
        invalid_type_error: 'Prompts must be a list of texts',
      })
      .transform(readPrompts),
    ...orderFields,
    /** Whether prompts beyond today's quota wait for the next days, instead of all being refused. */
    carryOver: choice,
    /** Whether the batch waits in line while another one is running, instead of being refused. */
    queue: choice,
    pictures: z.array(sentFile).max(MOST_DRAFT_PICTURES, TOO_MANY_PICTURES).optional(),
  })
  .transform(({ prompts, pictures, ...batch }): StartBatchCall => {
    const input = { ...prompts, ...batch }
    return pictures ? { ...input, files: pictures } : input
  })

/** A batch of a program: the pictures that it has sent, and the names of each prompt's. */
export type StartBatchCall = StartBatchInput & {
  named?: (string | null)[]
  ends?: (string | null)[]
  files?: z.output<typeof sentFile>[]
}

export type StartBatchInput = SharedFields & {
  prompts: string[]
  /** What each prompt has of its own. Undefined if none has, like what was ordered before there was any. */
  own?: readonly OwnSettings[] | undefined
  carryOver?: true | undefined
  queue?: true | undefined
  /** The pictures of each video; null: none. */
  pictures?: readonly (LinePictures | null)[] | undefined
}

/** The picture with which a video begins, and the one with which it ends, if it has one. */
export type LinePictures = { first: DraftPicture; end: DraftPicture | null }

/** Returns the fields of each order of a batch. */
export function ordersOf(input: StartBatchInput): OrderFields[] {
  return input.prompts.map((_, i) => {
    const own: OwnSettings = input.own?.[i] ?? {}
    return {
      ...eachText((name) => (own[name] === undefined ? input[name] : own[name])),
      aspectRatio: own.aspectRatio ?? input.aspectRatio,
      name: own.name ?? null,
    }
  })
}

/** Input of the form on the page: text with one prompt per line. */
export const startBatchForm = z
  .object({
    promptLines: pastedText(NO_PROMPTS).transform(parsePromptLines).transform(refineAll('Line')),
    /** Whether to remove numbers, bullets and quotation marks of a pasted list. */
    cleanList: z.boolean().default(false),
    ...orderFields,
  })
  .transform(({ promptLines, cleanList, ...rest }): StartBatchInput => ({
    prompts: cleanList ? promptLines.map(withoutListSigns) : promptLines,
    ...rest,
  }))

/** Receipt of an accepted batch. */
export const batchReceipt = z.object({
  batchId: z.string(),
  totalVideos: z.number(),
  speedLimit: z.number(),
  delaySeconds: z.number(),
  /** Null if that is not known, or the plan ends before. */
  finishEstimate: z.string().nullable(),
  /** How many of the prompts wait for later days. Only for an order that allowed it. */
  carried: z.number().optional(),
  /** Its place in line, from 1, and about when it starts. Only for a batch that waits there. */
  place: z.number().optional(),
  startEstimate: z.string().nullable().optional(),
})
export type BatchReceipt = z.output<typeof batchReceipt>

/** The name of a batch: trimmed, on one line. A blank one means the name from its time. */
const batchNameText = z
  .preprocess(
    (value) => (typeof value === 'string' ? nameOnOneLine(value) : value),
    optionalText({ label: 'Name', max: BATCH_NAME_CHARACTERS }),
  )
  .default(null)

/** Input of the call that names a batch. */
export const renameBatchInput = z.object({ name: batchNameText })

/** Form about one batch. */
export const oneBatchForm = z.object({ on: z.string({ required_error: 'No batch was named' }) })

/** Form about one prompt of a batch that has not been sent. */
export const waitingPromptForm = oneBatchForm.extend({
  videoId: z.string({ required_error: 'No prompt was named' }),
})
/** The form that brings a removed one back. */
export const removedPromptForm = z.object({
  on: z.string({ required_error: 'No prompt was named' }),
})
/** The form that moves such a prompt. */
export const moveWaitingForm = waitingPromptForm.extend({
  to: z.enum(['first', 'earlier', 'later']),
})
/** The form that changes its text. */
export const editWaitingForm = waitingPromptForm.extend({ prompt: promptText })

/** The form that names a batch. */
export const renameBatchForm = oneBatchForm.extend({ name: batchNameText })
