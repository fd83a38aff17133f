import { z } from 'zod'
import { oneOf, optionalText, trimmedText, wholeNumber } from '~/lib/fields'
import { isCleanText } from '~/lib/text'
import { newPassword, phone, refuseUnreadable } from '../accounts/schemas'
import { normalizeUsername } from '../names/names'
import { CHAT_OCCASIONS } from '../business/types'
import { USER_ROLES } from '../context'
import { PAID_FIELDS } from '../payments/schemas'
import { eachFigure, PLAN_FIGURES, type PlanNumberName } from '../plans/numbers'
import { FIRST_PROVIDER, ROUTE_TEXT } from '../route'
import { PLAN_NAMES } from '../plans/types'
import { bareToken } from '../tokens/rules'
import type { FieldName, ImportedFields } from './account-fields'
import { TICKS } from './ticks'

export const role = oneOf('Role', USER_ROLES)
export const plan = oneOf('Plan', PLAN_NAMES)
const figure = (name: PlanNumberName) => wholeNumber(PLAN_FIGURES[name].limits)
const expireDays = wholeNumber({
  label: 'Days',
  min: 1,
  max: 36_500,
  tooSmall: 'Must be at least 1 day',
})

/** A personal token, without what is around it. Empty means the platform's default. */
export const personalToken = z
  .string({ invalid_type_error: 'The token must be text' })
  .nullish()
  .transform((value) => bareToken(value ?? '') || null)
  .refine(
    (value) => value === null || (value.length <= 10_000 && isCleanText(value)),
    'This is not a token',
  )

/** The fields of an account, each with its limits. */
export const FIELD_SCHEMAS = {
  role,
  plan,
  videoLimit: figure('videosPerDay'),
  speedLimit: figure('videos'),
  videoGenerationSpeed: figure('delaySeconds'),
  isActive: z.boolean({ invalid_type_error: 'isActive must be true or false' }),
} satisfies { [Name in FieldName]: z.ZodType<ImportedFields[Name], z.ZodTypeDef, unknown> }

/** A new account is active. */
const { isActive: _, ...NEW_FIELDS } = FIELD_SCHEMAS
const newFields = z.object({ ...NEW_FIELDS, expireDays })

/** Input of the create call. Missing numbers default to the plan's. */
export const createUserInput = z
  .object({ phone, password: newPassword })
  .merge(newFields.partial())
  .extend({
    role: role.default('user'),
    plan: plan.default('Starter'),
    bearerToken: personalToken,
    seenTrash: TICKS.seenTrash,
  })
export type CreateUserInput = z.output<typeof createUserInput>

/** The create form, in which all numbers are required. */
export const createUserForm = createUserInput.merge(newFields)

const password = newPassword.nullish().or(z.literal(''))

/**
 * Input of the edit call. Only given values change. An empty password changes nothing. An empty
 * token selects the default; the mask of the current token changes nothing.
 */
export const editUserInput = z
  .object({ ...FIELD_SCHEMAS, expireDays })
  .partial()
  .extend({
    /** Counts expireDays from now even if the number is the one that was shown. */
    renewFromToday: z
      .boolean({ invalid_type_error: 'renewFromToday must be true or false' })
      .optional(),
    bearerToken: personalToken.optional(),
    password: password.transform((value) => (value === '' || value === null ? undefined : value)),
  })
export type EditUserInput = z.output<typeof editUserInput>

/** The edit form sends all fields. An unchecked checkbox is not sent. */
export const editUserForm = editUserInput.extend({
  ...FIELD_SCHEMAS,
  plan: plan.optional(),
  /** Empty for an account that has expired and stays so. */
  expireDays: expireDays.optional(),
  renewFromToday: z.boolean().default(false),
  bearerToken: personalToken,
  isActive: z.boolean().default(false),
})

const PHONE_NEEDED = 'Please enter a phone number'

/** A number, or what remains of another name without its symbols and spaces. */
function quickName(typed: string): string {
  const name = normalizeUsername(typed)
  return /^\d+$/.test(name) ? name : normalizeUsername(typed.replace(/[^\p{L}\p{N}]/gu, ''))
}

/** Symbols and spaces are always removed, because the quick form is only for phone numbers. */
export const quickCreateInput = z.object({
  phone: z
    .string({ required_error: PHONE_NEEDED, invalid_type_error: PHONE_NEEDED })
    .refine((value) => value.length <= 64 && isCleanText(value), 'This is not a phone number')
    .superRefine(refuseUnreadable)
    .transform(quickName)
    .refine((value) => value !== '', PHONE_NEEDED)
    .pipe(phone),
  plan,
  seenTrash: TICKS.seenTrash,
})
export type QuickCreateInput = z.output<typeof quickCreateInput>

/** The form, which may record what was paid. */
export const quickCreateForm = quickCreateInput.extend({ ...PAID_FIELDS, ...TICKS })

export const NOTE_CHARACTERS = 2000

export const noteText = optionalText({ label: 'Note', max: NOTE_CHARACTERS }).transform(
  (note) => note ?? '',
)

/** The note about a customer. */
export const noteInput = z.object({
  id: z.string(),
  note: noteText,
  language: optionalText({ label: 'Language', max: 30 }),
})
export type NoteInput = z.output<typeof noteInput>

/** The button that allows a user API keys, or no longer. */
export const allowKeysInput = z.object({
  id: z.string(),
  isAllowed: oneOf('API keys', ['yes', 'no']).transform((answer) => answer === 'yes'),
})

/** The button that ends an API key of a user. */
export const endKeyInput = z.object({ id: z.string(), keyId: z.string() })

/** The form for the payment of an earlier renewal. */
export const latePaymentInput = z.object({ ...PAID_FIELDS, renewal: z.string() })

/** The form of a chat button. */
export const chatInput = z.object({
  occasion: oneOf('Occasion', CHAT_OCCASIONS),
  /** The page with the button. */
  back: z.string().nullable().default(null),
  /** The address with which the customer sets a password. */
  link: z.string().nullable().default(null),
})

/** The form of a plan. Each line of `extras` is one of the card. */
export const planInput = z
  .object({
    plan,
    ...eachFigure(figure),
    clipUnits: figure('clipUnits').default(1),
    support: trimmedText({ label: 'Support', max: 30, tooShort: 'Support is required' }),
    extras: optionalText({ label: 'Lines', max: 400 }),
    route: z.string().regex(ROUTE_TEXT, 'Choose a provider').default(FIRST_PROVIDER),
    devices: z
      .literal('')
      .optional()
      .transform(() => null)
      .or(wholeNumber({ label: 'Devices', min: 1, max: 100, tooSmall: 'Must be at least 1' })),
    popular: z.boolean().default(false),
    isOffered: z.boolean().default(false),
  })
  .refine(({ clipUnits, videosPerDay }) => clipUnits <= videosPerDay, {
    path: ['clipUnits'],
    message: 'Cannot be more than the videos per day',
  })
  .transform(({ plan: name, videos, delaySeconds, extras, ...plain }) => ({
    ...plain,
    name,
    pace: { videos, delaySeconds },
    extras: (extras ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  }))

export const onePlan = z.object({ plan })
