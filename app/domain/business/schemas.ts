import { z } from 'zod'
import { oneOf, optionalDay, optionalText, trimmedText, wholeNumber } from '~/lib/fields'
import { chatTextProblem, ENGLISH, textField } from './chat-texts'
import { paymentField } from './payment-fields'
import { PAYMENT_KINDS, type PaymentAccounts, type PaymentKind } from '../context'
import { CURRENCY_NAMES } from '~/lib/currencies'
import { DEFAULT_PLANS } from '../plans/catalogue'
import { eachFigure } from '../plans/numbers'
import type { PlanName } from '../plans/types'
import {
  ALARM_NAMES,
  BY_HAND,
  CODE_INCOMES,
  REFERRAL_UNITS,
  type AlarmSettings,
  type ChatOccasion,
  type SettingName,
  type SettingValues,
} from './types'

const NAME_CHARACTERS = 60
const ACCOUNT_CHARACTERS = 120
const ANNOUNCEMENT_CHARACTERS = 300
const LANGUAGE_CHARACTERS = 30
const CHAT_CHARACTERS = 1000

export const contactsInput = z.object({
  chatNumber: z
    .string({ required_error: 'Chat number is required' })
    .trim()
    .regex(/^\+?[\d\s-]{5,20}$/, 'Chat number must be a phone number with its country code'),
  email: z.string({ required_error: 'E-mail is required' }).trim().email('This is not an address'),
  socialUrl: z
    .string({ required_error: 'Address is required' })
    .trim()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'Must be an address that starts with https://',
    ),
})

const label = (text: string, max: number) =>
  trimmedText({ label: text, max, tooShort: `${text} is required` })

const paymentAccount = z.object({
  name: label('Name', NAME_CHARACTERS),
  accountName: label('Account name', NAME_CHARACTERS),
  account: optionalText({ label: 'Account', max: ACCOUNT_CHARACTERS }),
})

export const paymentAccounts = z.object({
  exchange: paymentAccount,
  wallet: paymentAccount,
  bank: paymentAccount,
})

/** The form of all ways to pay: flat fields, whose errors keep their names. */
export const paymentInput = z.record(z.string()).transform((fields, ctx): PaymentAccounts => {
  const read = (kind: PaymentKind) =>
    Object.fromEntries(
      (['name', 'accountName', 'account'] as const).map((part) => [
        part,
        fields[paymentField(kind, part)],
      ]),
    )
  const parsed = paymentAccounts.safeParse(
    Object.fromEntries(PAYMENT_KINDS.map((kind) => [kind, read(kind)])),
  )
  return parsed.success ? parsed.data : refuse(ctx, parsed.error)
})

/** Gives each problem to the flat field that the value came from. */
function refuse(ctx: z.RefinementCtx, { issues }: z.ZodError): never {
  for (const { path, message } of issues)
    ctx.addIssue({ code: 'custom', message, path: [path.join('-')] })
  return z.NEVER
}

export const announcementInput = z
  .object({
    text: trimmedText({
      label: 'Announcement',
      max: ANNOUNCEMENT_CHARACTERS,
      tooShort: 'Please enter a text',
    }),
    level: oneOf('Level', ['info', 'warning']),
    fromDay: optionalDay(),
    untilDay: optionalDay(),
  })
  .refine(({ fromDay, untilDay }) => !fromDay || !untilDay || fromDay <= untilDay, {
    message: 'The last day is before the first',
    path: ['untilDay'],
  })
export type AnnouncementInput = z.output<typeof announcementInput>

export const pauseInput = z.object({
  text: trimmedText({
    label: 'Sentence',
    max: ANNOUNCEMENT_CHARACTERS,
    tooShort: 'Please enter what users shall read',
  }),
})

/** An optional time of day, as HH:MM. A blank one counts as none (null). */
export const timeOfDay = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === undefined || value === '' ? null : value))
  .refine(
    (value) => value === null || /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
    'This is not a time',
  )

const most = (label: string, max: number) =>
  wholeNumber({ label, min: 1, max, tooSmall: `${label} must be at least 1` })

export const alarmsInput = z
  .object({
    webhook: optionalText({ label: 'Web address', max: 500 }).refine(
      (value) => value === null || URL.canParse(value),
      'This is not an address',
    ),
    telegram: optionalText({ label: 'Chat', max: 64 }).refine(
      (value) => value === null || /^(-?\d+|@\w+)$/.test(value),
      'Must be the number of a chat, or @ and the name of a channel',
    ),
    email: optionalText({ label: 'E-mail', max: 200 }).refine(
      (value) => value === null || z.string().email().safeParse(value).success,
      'This is not an address',
    ),
    names: z
      .union([z.enum(ALARM_NAMES).transform((name) => [name]), z.array(z.enum(ALARM_NAMES))])
      .default([]),
    fewKeys: most('Number of tokens', 10_000),
    failures: most('Number of failures', 10_000),
    quietFrom: timeOfDay,
    quietUntil: timeOfDay,
    summaryAt: timeOfDay,
  })
  .transform(({ webhook, telegram, email, ...rest }): AlarmSettings => ({
    targets: { webhook, telegram, email },
    ...rest,
  }))

const eachOccasion = <Value>(valueOf: (occasion: ChatOccasion) => Value) => ({
  account: valueOf('account'),
  password: valueOf('password'),
  ending: valueOf('ending'),
  ended: valueOf('ended'),
  renewed: valueOf('renewed'),
  unused: valueOf('unused'),
  'nearly-used': valueOf('nearly-used'),
})

const chatText = trimmedText({
  label: 'Text',
  max: CHAT_CHARACTERS,
  tooShort: 'Please enter a text',
}).superRefine((text, ctx) => {
  const problem = chatTextProblem(text)
  if (problem !== null) ctx.addIssue({ code: 'custom', message: problem })
})

const chatLanguage = z.object({
  /** The name that the language had. Empty for a new language. */
  was: z.string().default(''),
  name: label('Language', LANGUAGE_CHARACTERS),
  texts: z.object(eachOccasion(() => chatText)),
})

/** The form of the chat texts in one language: flat fields, whose errors keep their names. */
export const chatLanguageInput = z
  .record(z.string())
  .transform(({ was, name, ...fields }, ctx): z.output<typeof chatLanguage> => {
    const texts = eachOccasion((occasion) => fields[textField(occasion)])
    const parsed = chatLanguage.safeParse({ was, name, texts })
    return parsed.success ? parsed.data : refuse(ctx, parsed.error)
  })
export type ChatLanguageInput = z.output<typeof chatLanguageInput>

export const languageInput = z.object({ was: z.string() })

const few = (label: string, max: number) =>
  wholeNumber({ label, min: 1, max, tooSmall: `${label} must be at least 1`, isExact: true })

export const referralInput = z.object({
  unit: oneOf('Reward', REFERRAL_UNITS),
  amount: few('Number', 365),
  perMonth: few('Rewards in a month', 1000),
})

/** Names a step of the set-up. */
export const setupMark = z.object({ step: oneOf('step', BY_HAND) })

const { videos, delaySeconds, ...figures } = eachFigure(() => z.number())

/** A field that did not exist when the plan was stored has its default: the others are what is sold. */
const storedPlan = <Name extends PlanName>(name: Name) =>
  z
    .record(z.unknown())
    .transform((stored) => ({ ...DEFAULT_PLANS[name], ...stored }))
    .pipe(
      z.object({
        name: z.literal(name),
        ...figures,
        pace: z.object({ videos, delaySeconds }),
        support: z.string(),
        popular: z.boolean(),
        extras: z.array(z.string()),
        route: z.string(),
        devices: z.number().nullable(),
        isOffered: z.boolean(),
      }),
    )

const minorUnits = z.number().int().positive()

/** Every business setting by its name, with the shape in which it is stored. */
export const STORED: {
  readonly [Name in SettingName]: z.ZodType<SettingValues[Name], z.ZodTypeDef, unknown>
} = {
  contacts: contactsInput,
  payment: paymentAccounts,
  announcement: z.object({
    id: z.string(),
    text: z.string(),
    level: z.enum(['info', 'warning']),
    fromDay: z.string().nullable(),
    untilDay: z.string().nullable(),
  }),
  pause: z.object({ text: z.string() }),
  alarms: z.object({
    targets: z.object({
      webhook: z.string().nullable(),
      telegram: z.string().nullable(),
      email: z.string().nullable(),
    }),
    names: z.array(z.enum(ALARM_NAMES)),
    fewKeys: z.number(),
    failures: z.number(),
    quietFrom: z.string().nullable(),
    quietUntil: z.string().nullable(),
    summaryAt: z.string().nullable(),
  }),
  chatTexts: z
    .array(
      z.object({
        name: z.string(),
        // What was stored before an occasion was added has no text for it.
        texts: z.object(eachOccasion((occasion) => z.string().default(ENGLISH.texts[occasion]))),
      }),
    )
    .min(1),
  setup: z.object({ marked: z.array(z.enum(BY_HAND)) }),
  videoCost: z.object({
    amount: minorUnits,
    currency: z.enum(CURRENCY_NAMES),
    others: z.record(minorUnits).default({}),
  }),
  codeIncome: z.enum(CODE_INCOMES),
  referral: z.object({ unit: z.enum(REFERRAL_UNITS), amount: z.number(), perMonth: z.number() }),
  'plan.Starter': storedPlan('Starter'),
  'plan.Professional': storedPlan('Professional'),
  'plan.Business': storedPlan('Business'),
  'plan.Enterprise': storedPlan('Enterprise'),
}
