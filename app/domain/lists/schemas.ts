import { z } from 'zod'
import { BATCH_LIMITS } from '../batches/rules'
import type { StartBatchInput } from '../batches/schemas'
import { orderFields } from '../videos/schemas'

/** Input of the form that starts the first prompts of a list. */
export const startListForm = z.object({
  first: z.number().int().min(1).max(BATCH_LIMITS.prompts),
  /** The version of the list that the page has shown. */
  version: z.string(),
  /** The pictures that the page has shown. Left out where there are none. */
  shownPictures: z.string().optional(),
  ...orderFields,
})
export type StartListInput = z.output<typeof startListForm> &
  Pick<StartBatchInput, 'carryOver' | 'queue'>

/** The same for what does not fit today, which waits for the next days. */
export const listOverDaysForm = startListForm.extend({
  /** How many prompts the batch takes in all. */
  all: startListForm.shape.first,
})
