import { z } from 'zod'
import { normalizeUsername, PHONE_LIMITS } from '../../names/names'
import { newPassword, refuseUnreadable } from '../../accounts/schemas'
import { wholeNumber } from '~/lib/fields'
import { isCleanText } from '~/lib/text'
import { NO_DATA, PLACEHOLDER_PASSWORD, TOO_MANY_USERS, toEntry } from './import-rules'
import { USER_RULES } from '../rules'
import { FIELD_SCHEMAS, noteText, personalToken } from '../schemas'

/** The export writes 0 for an expired account. Such an account expires when it is imported. */
const endsIn = wholeNumber({
  label: 'Days',
  min: 0,
  max: 36_500,
  tooSmall: 'Must be at least 1 day',
})

/**
 * Validates one user of an import. A name that could be mistaken for another is refused only where the line
 * would create its account.
 */
export const importEntry = z.object({
  username: z
    .string()
    .refine(isCleanText, 'Username contains characters that cannot be stored')
    .superRefine(refuseUnreadable)
    .transform(normalizeUsername)
    .refine((value) => value !== '', 'Username is required')
    .refine((value) => value.length <= 64, 'Username can have at most 64 characters')
    .refine(
      (value) => !/^\d+$/.test(value) || value.length >= PHONE_LIMITS.characters,
      `Phone number must be at least ${PHONE_LIMITS.characters} characters`,
    ),
  email: z.string().email('This is not an e-mail address').max(254).nullable(),
  password: z.literal(PLACEHOLDER_PASSWORD).or(newPassword),
  ...FIELD_SCHEMAS,
  expireDays: endsIn.nullable(),
  bearerToken: personalToken,
  note: noteText,
})

/** Values of an API call are read as leniently as the texts of a line. */
const rawEntry = z
  .object({})
  .passthrough()
  .transform((value) => toEntry(value))

/** Input of the import call. */
export const bulkImportInput = z.object({
  users: z
    .array(rawEntry, { required_error: NO_DATA, invalid_type_error: 'users must be a list' })
    .min(1, NO_DATA)
    .max(USER_RULES.importAtOnce, TOO_MANY_USERS),
})
