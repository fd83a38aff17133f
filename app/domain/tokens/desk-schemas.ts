import { z } from 'zod'
import { optionalDay, optionalText, plainWhole } from '~/lib/fields'
import { KEY_ORDERS, KEY_STATES } from './desk-rules'

/** The query of the token desk. */
export const deskQuery = z.object({
  state: z.enum(KEY_STATES).catch('all'),
  sort: z.enum(KEY_ORDERS).catch('place'),
  page: plainWhole(1, 100_000).catch(1),
})

export const tokenLabel = optionalText({ label: 'Label', max: 60 })
export const tokenAccount = optionalText({ label: 'Account', max: 60 })

export const editTokenInput = z.object({
  id: z.string({ required_error: 'No token was named' }),
  label: tokenLabel,
  account: tokenAccount,
  note: optionalText({ label: 'Note', max: 500 }),
  paidUntil: optionalDay('Write the date as YYYY-MM-DD, such as 2026-12-31'),
  costPerVideo: optionalText({ label: 'Cost', max: 20 }).refine(
    (text) => text === null || /^\d{1,8}(\.\d{1,4})?$/.test(text),
    'Write the cost as a number such as 0.40',
  ),
})
export type EditTokenInput = z.output<typeof editTokenInput>

/** The tokens that the page shows are tested. */
export const checkAllInput = deskQuery.pick({ state: true })

/** `expected` is the number of tokens in the preview. */
export const removeDeadInput = z.object({ expected: plainWhole(1, 1_000_000) })
