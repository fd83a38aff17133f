import { figure } from '~/lib/figures'
import { shortDay } from '~/lib/time'
import type { PlanName, Plans } from '../plans/types'
import { CHAT_FIELDS, type ChatField, type ChatLanguage, type ChatOccasion } from './types'

/** The occasions of chat texts as the Settings page and the desk name them. */
export const OCCASION_NAMES = {
  account: 'New account',
  password: 'New password',
  ending: 'Plan ends soon',
  ended: 'Plan has ended',
  renewed: 'Plan renewed',
  unused: 'Never used',
  'nearly-used': 'Quota nearly used up',
} as const satisfies Record<ChatOccasion, string>

const facts = 'Username: {name}\nPlan: {plan}\nValid until: {end}'
const setPassword = 'Set your password: {link} (works once, for 7 days)'

/** The texts of an installation whose operator has written none. */
export const ENGLISH: ChatLanguage = {
  name: 'English',
  texts: {
    account: `Your {product} account is ready.\n\n${facts}\n\n${setPassword}`,
    password: `Your {product} password is new.\n\n${facts}\n\n${setPassword}`,
    ending:
      'Hello {name}, your {product} plan {plan} ends on {end}. To go on, renew for {price}: {link}',
    ended:
      'Hello {name}, your {product} plan {plan} has ended on {end}. Your videos are still there. To go on, renew for {price}: {link}',
    renewed: `Thank you. Your {product} plan is renewed.\n\n${facts}\n\nSign in: {link}`,
    unused:
      'Hello {name}, your {product} plan {plan} runs until {end}, and you have not made a video yet. Can we help? {link}',
    'nearly-used':
      'Hello {name}, you have nearly used up today’s videos of your {product} plan {plan}. Larger plans: {link}',
  },
}

const FIELD = /\{([^{}]*)\}/g

/** Returns why a chat text cannot be stored, or null. A field in it must be one that is filled in. */
export function chatTextProblem(text: string): string | null {
  const known: ReadonlySet<string> = new Set(CHAT_FIELDS)
  const unknown = [...text.matchAll(FIELD)]
    .map(([, name = '']) => name)
    .find((name) => !known.has(name))
  if (unknown === undefined) return null
  return `{${unknown}} is not a field. Use ${CHAT_FIELDS.map((name) => `{${name}}`).join(', ')}.`
}

/** What a chat text says about a customer. `link` is an absolute address. */
export type ChatFacts = {
  username: string
  plan: PlanName | null
  /** The plans as sold now. */
  plans: Plans
  expiryDate: string | null
  product: string
  timeZone: string
  link: string
}

/** Returns a chat text with its fields filled in. */
export function fillChatText(
  text: string,
  { username, plan, plans, expiryDate, product, timeZone, link }: ChatFacts,
): string {
  const values: Record<ChatField, string> = {
    name: username,
    plan: plan ?? 'none',
    end: expiryDate === null ? 'never' : shortDay(expiryDate, timeZone),
    price:
      plan === null
        ? 'none'
        : `${figure(plans[plan].rupees)} rupees ($${figure(plans[plan].dollars)})`,
    link,
    product,
  }
  const valueOf: ReadonlyMap<string, string> = new Map(Object.entries(values))
  return text.replace(FIELD, (field, name: string) => valueOf.get(name) ?? field)
}

/** Returns the text for an occasion in a customer's language; without one in the first language. */
export const chatTextOf = (
  languages: readonly ChatLanguage[],
  { occasion, language }: { occasion: ChatOccasion; language: string | null },
): string =>
  (languages.find(({ name }) => name === language) ?? languages[0] ?? ENGLISH).texts[occasion]

/** The name of the form's field for the text of an occasion. */
export const textField = (occasion: ChatOccasion) => `texts-${occasion}` as const
