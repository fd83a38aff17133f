import type { Contacts, PaymentAccount, PaymentAccounts, PaymentKind } from '../context'
import type { Currency } from '~/lib/currencies'
import { plural } from '~/lib/figures'
import type { Plan, PlanName } from '../plans/types'

/** A way to pay as buyers see it. */
export type PaymentMethod = PaymentAccount & { kind: PaymentKind; account: string }

/** A banner for all signed-in users. Days are in the platform's time zone; null has no limit. */
export type Announcement = {
  id: string
  text: string
  level: 'info' | 'warning'
  fromDay: string | null
  untilDay: string | null
}

/** While it is set, users' new orders are refused with this text. */
export type OrderPause = { text: string }

/** All alarms by name. `line` is also told in quiet hours. */
export const ALARM_NAMES = [
  'line',
  'worker',
  'keys',
  'failures',
  'backup',
  'disk',
  'key-lost',
  'sign-in',
  'claim',
  'request',
] as const
export type AlarmName = (typeof ALARM_NAMES)[number]

export const ALARM_CHANNELS = ['webhook', 'telegram', 'email'] as const
export type AlarmChannel = (typeof ALARM_CHANNELS)[number]
const CHANNEL_NAMES = { webhook: 'webhook', telegram: 'Telegram', email: 'e-mail' } as const

/** Returns the names of channels as a list: `webhook, Telegram and e-mail`. */
export const channelsText = (channels: readonly AlarmChannel[]): string =>
  new Intl.ListFormat('en-GB').format(channels.map((channel) => CHANNEL_NAMES[channel]))

/** What administrators are told of, and where. Times of day are in the platform's time zone. */
export type AlarmSettings = {
  /** Where messages go: a web address, a Telegram chat, an e-mail address. Null: not there. */
  targets: Record<AlarmChannel, string | null>
  names: readonly AlarmName[]
  /** The alarm `keys` begins below this number of working keys in the pool. */
  fewKeys: number
  /** The alarm `failures` begins with this number of failed videos in ten minutes. */
  failures: number
  quietFrom: string | null
  quietUntil: string | null
  /** When the daily summary is sent; null: never. */
  summaryAt: string | null
}

export const DEFAULT_ALARMS: AlarmSettings = {
  targets: { webhook: null, telegram: null, email: null },
  names: ALARM_NAMES,
  fewKeys: 2,
  failures: 20,
  quietFrom: null,
  quietUntil: null,
  summaryAt: null,
}

/** When a customer is written to in the chat app. */
export const CHAT_OCCASIONS = [
  'account',
  'password',
  'ending',
  'ended',
  'renewed',
  'unused',
  'nearly-used',
] as const
export type ChatOccasion = (typeof CHAT_OCCASIONS)[number]

/** What a chat text may contain in braces: `{name}` becomes the username. */
export const CHAT_FIELDS = ['name', 'plan', 'end', 'price', 'link', 'product'] as const
export type ChatField = (typeof CHAT_FIELDS)[number]

/** The operator's chat texts in one language, whose name the operator chooses. */
export type ChatLanguage = { name: string; texts: Record<ChatOccasion, string> }

export const BY_HAND = ['name', 'countries', 'zone', 'copies', 'prices', 'losses'] as const
/** What of the set-up only a person can know to be right, and marks as done. */
export type ByHand = (typeof BY_HAND)[number]

/** What one video costs the operator, in minor units. Tokens may have a cost of their own instead. */
export type VideoCost = { amount: number; currency: Currency }

/** The cost at the first provider, and in the same currency those of others by their names. */
export type VideoCosts = VideoCost & { others: Readonly<Record<string, number>> }

/** When the amount of a prepaid code is income: on the day it is made for a buyer, or on that of its use. */
export const CODE_INCOMES = ['sold', 'used'] as const
export type CodeIncome = (typeof CODE_INCOMES)[number]

/** What the first payment of somebody invited brings them and the inviter, who gets it so often in a month. */
export const REFERRAL_UNITS = ['days', 'videos'] as const
export type Referral = { unit: (typeof REFERRAL_UNITS)[number]; amount: number; perMonth: number }

/** Says what each of the two gets: 7 days; 5 videos on the day of the payment. */
export const rewardText = ({ unit, amount }: Pick<Referral, 'unit' | 'amount'>): string =>
  unit === 'days' ? plural(amount, 'day') : `${plural(amount, 'video')} on the day of the payment`

/** The setting that replaces a plan of the catalogue. */
export type PlanSetting = `plan.${PlanName}`

/** Every setting that an operator changes without a restart, by its name. */
export type SettingValues = {
  contacts: Contacts
  payment: PaymentAccounts
  announcement: Announcement
  pause: OrderPause
  alarms: AlarmSettings
  /** In the operator's order. The first is that of customers for whom none is chosen. */
  chatTexts: readonly ChatLanguage[]
  setup: { marked: ByHand[] }
  videoCost: VideoCosts
  codeIncome: CodeIncome
  referral: Referral
} & Record<PlanSetting, Plan>
export type SettingName = keyof SettingValues

/** The banners above a signed-in page. */
export type Notices = { announcement: Announcement | null; pause: OrderPause | null }
