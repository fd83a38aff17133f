import { z } from 'zod'
import { isCleanText } from '~/lib/text'
import { KEY_ORDERS, KEY_STATES } from './desk-rules'

/** The query of the token desk. */
export const deskQuery = z.object({
  state: z.enum(KEY_STATES).catch('all'),
  sort: z.enum(KEY_ORDERS).catch('place'),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
})

/** An optional text; empty means none. */
const optionalText = (most: number, what: string) =>
  z
    .string()
    .optional()
    .transform((text) => text?.trim() ?? '')
    .refine((text) => text.length <= most, `${what} has at most ${most} characters`)
    .refine(isCleanText, `${what} contains characters that cannot be shown`)
    .transform((text) => (text === '' ? null : text))

export const keyLabel = optionalText(60, 'The label')
export const keyAccount = optionalText(60, 'The account')

const NO_DATE = 'Write the date as YYYY-MM-DD, such as 2026-12-31'

export const editKeyInput = z.object({
  id: z.string({ required_error: 'No token was named' }),
  label: keyLabel,
  account: keyAccount,
  note: optionalText(500, 'The note'),
  paidUntil: optionalText(10, 'The date').refine(
    (text) =>
      text === null ||
      (/^\d{4}-\d\d-\d\d$/.test(text) &&
        !Number.isNaN(Date.parse(text)) &&
        new Date(text).toISOString().startsWith(text)),
    NO_DATE,
  ),
  costPerVideo: optionalText(20, 'The cost').refine(
    (text) => text === null || /^\d{1,8}(\.\d{1,4})?$/.test(text),
    'Write the cost as a number such as 0.40',
  ),
})
export type EditKeyInput = z.output<typeof editKeyInput>

/** The keys that the page shows are tested. */
export const checkAllInput = deskQuery.pick({ state: true })

/** `expected` is the number of keys in the preview. */
export const removeDeadInput = z.object({ expected: z.coerce.number().int().min(1) })
