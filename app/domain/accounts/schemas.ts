import { z } from 'zod'
import { plainDigits } from '~/lib/digits'
import { optionalDay, text, trimmedText } from '~/lib/fields'
import { nameProblem, normalizeUsername, PHONE_LIMITS, readName } from '../names/names'
import { LIMITS, passwordChangeProblem } from './rules'

const PHONE_TOO_SHORT = `Phone number must be at least ${PHONE_LIMITS.characters} characters`
const PASSWORD_TOO_SHORT = `Password must be at least ${LIMITS.passwordCharacters} characters`

/** Adds an issue if a name is not acceptable for an account. */
function refuseBadName(name: string, issues: z.RefinementCtx): void {
  const problem = nameProblem(name)
  if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
}

/** Adds an issue if a text cannot be read as one phone number or name. */
export function refuseUnreadable(typed: string, issues: z.RefinementCtx): void {
  const { problem } = readName(typed)
  if (problem !== null) issues.addIssue({ code: 'custom', message: problem })
}

const MOST = LIMITS.nameMaxCharacters

/** The length is checked after normalization: '(0300) 12' has six digits, not nine characters. */
export const phone = text({
  label: 'Phone number',
  max: MOST,
  tooShort: 'Phone number is required',
})
  .superRefine(refuseUnreadable)
  .transform(normalizeUsername)
  .refine((value) => value.length >= PHONE_LIMITS.characters, PHONE_TOO_SHORT)
  .refine((value) => value.length <= MOST, `Phone number can have at most ${MOST} characters`)
  .superRefine(refuseBadName)
  .describe('8 to 17 digits; signs and blanks are removed')

/** Passwords are used exactly as typed, including spaces. */
export const newPassword = text({
  label: 'Password',
  min: LIMITS.passwordCharacters,
  max: LIMITS.passwordMaxCharacters,
  tooShort: PASSWORD_TOO_SHORT,
})

const DIGITS = new RegExp(`^\\d{0,${PHONE_LIMITS.maxDigits}}$`)

/** Users register with a phone number. Only administrators can assign other names. */
export const registerInput = z.object({
  phone: phone.refine((value) => DIGITS.test(value), 'This is not a phone number'),
  password: newPassword,
})
export type RegisterInput = z.output<typeof registerInput>

export const signInInput = z.object({
  /** As typed. `nameForms` determines which accounts it can refer to. */
  username: text({ label: 'Username', max: 200 }).refine(
    (value) => normalizeUsername(value) !== '',
    'Username is required',
  ),
  password: text({ label: 'Password', max: LIMITS.passwordMaxCharacters }),
})
export type SignInInput = z.output<typeof signInInput>

/** Keyboards of many languages type digits of their own, and letters of full width. */
const plainCode = (typed: string) => plainDigits(typed.normalize('NFKC'))

/** A code of an authenticator app or a recovery code. The other one is ''. */
const codeFields = {
  code: z
    .string()
    .max(LIMITS.codeMaxCharacters, 'This code is too long')
    .default('')
    .transform((typed) => plainCode(typed).replace(/\s/g, '')),
  recoveryCode: z
    .string()
    .max(LIMITS.codeMaxCharacters, 'This code is too long')
    .default('')
    .transform(plainCode),
}
export type TypedCode = { code: string; recoveryCode: string }

/** Returns the field whose code counts: the recovery code only if the other one is empty. */
export const fieldOfCode = (code: string) => (code.trim() === '' ? 'recoveryCode' : 'code')

const hasCode = ({ code, recoveryCode }: TypedCode) => code !== '' || recoveryCode.trim() !== ''
const NO_CODE = { path: ['code'], message: 'Type the code' }

/** The second step of signing in. `step` is the value returned by the first step. */
export const codeInput = z
  .object({ step: text({ label: 'step', max: 1000 }), ...codeFields })
  .refine(hasCode, NO_CODE)
export type CodeInput = z.output<typeof codeInput>

const ownPassword = text({ label: 'Password', max: LIMITS.passwordMaxCharacters })
/** Starts the setup of two-step sign-in. */
export const startSecondFactorForm = z.object({ password: ownPassword })
/** The first code for a new key. */
export const confirmSecondFactorForm = z.object({
  code: codeFields.code.refine((code) => code !== '', 'Type the code'),
})
/** Proof required to switch two-step sign-in off. */
export const secondFactorProof = z
  .object({ password: ownPassword, ...codeFields })
  .refine(hasCode, NO_CODE)

/** Ends the sessions with these ids. */
export const endChosenSessionsForm = z.object({
  ownPassword,
  ids: z.array(z.string()).min(1, 'Choose a device'),
})
export const endOtherSessionsForm = z.object({ ownPassword })

/** Makes an API key. `lastDay` is the last day on which it works; without one it has no end. */
export const createApiKeyForm = z.object({
  ownPassword,
  ...codeFields,
  name: trimmedText({
    label: 'Name',
    max: LIMITS.apiKeyNameCharacters,
    tooShort: 'Name is required',
  }),
  lastDay: optionalDay(),
})
export type CreateApiKeyInput = z.output<typeof createApiKeyForm>

/** Ends an API key. */
export const endApiKeyForm = z.object({
  ownPassword,
  id: z.string({ required_error: 'Choose a key' }),
})

/**
 * Confirms the password again. The field is named `ownPassword` because it is added to other forms.
 */
export const confirmForm = z.object({ ownPassword, ...codeFields })
/** The same for a form whose field is named `password`. */
export const passwordAndCode = z.object({ password: ownPassword, ...codeFields })
export type ConfirmInput = z.output<typeof confirmForm>

export const changePasswordInput = z.object({
  oldPassword: text({ label: 'Old password', max: LIMITS.passwordMaxCharacters }),
  newPassword,
  ...codeFields,
})
export type ChangePasswordInput = z.output<typeof changePasswordInput>

/** Form of the page that a first-password link opens. */
export const setPasswordForm = z.object({
  token: z.string().max(500).default(''),
  newPassword,
})

const typedPassword = z.string().max(LIMITS.passwordMaxCharacters).default('')

/**
 * Form for changing the password. It has the new password twice and reports one problem at a time.
 */
export const changePasswordForm = z
  .object({
    oldPassword: typedPassword,
    newPassword: typedPassword,
    confirmPassword: typedPassword,
    ...codeFields,
    returnTo: z.string().default(''),
  })
  .superRefine((change, issues) => {
    const problem = passwordChangeProblem(change)
    if (problem) issues.addIssue({ code: 'custom', path: [problem.field], message: problem.text })
  })
