import type {
  AlarmSettings,
  Announcement,
  ChatLanguage,
  Referral,
  VideoCosts,
} from '../business/types'
import { CHAT_OCCASIONS } from '../business/types'
import { textField } from '../business/chat-texts'
import { paymentField } from '../business/payment-fields'
import { PAYMENT_KINDS, type PaymentAccounts } from '../context'
import { amountText } from '../payments/money'
import { eachFigure, figuresOf } from '../plans/numbers'
import type { Plan } from '../plans/types'
import type { TokenView } from '../tokens/desk-rules'
import { FIELD_NAMES, type AccountFields, type FieldName } from './account-fields'
import { PLAN_FIELDS, shownExpireDays } from './rules'
import type { CustomerCard, Helper, ManagedUser } from './types'

// What the administrators' forms show of what is stored. The page fills in its fields with it, and
// the server compares it with what an older page was filled in with.

/** The fields of a form as texts. A list has the ticked boxes of a group; a single box is `on` or ''. */
export type ShownFields = Readonly<Record<string, string | readonly string[]>>

/** Fields that mean something only together, such as an amount and its currency. */
export type Together = readonly (readonly string[])[]

const tick = (isTicked: boolean): string => (isTicked ? 'on' : '')

const PARTS = ['name', 'accountName', 'account'] as const

/** Returns the fields of the payment accounts. */
export const paymentFields = (accounts: PaymentAccounts) =>
  Object.fromEntries(
    PAYMENT_KINDS.flatMap((kind) =>
      PARTS.map((part) => [paymentField(kind, part), accounts[kind][part] ?? '']),
    ),
  )

/** Buyers pay to a number under a name. */
export const PAYMENT_TOGETHER: Together = PAYMENT_KINDS.map((kind) =>
  PARTS.map((part) => paymentField(kind, part)),
)

/** Returns the fields of a plan. */
export function planFields(plan: Plan) {
  const figures = figuresOf(plan)
  return {
    ...eachFigure((name) => String(figures[name])),
    support: plan.support,
    extras: plan.extras.join('\n'),
    route: plan.route,
    devices: String(plan.devices ?? ''),
    popular: tick(plan.popular),
    isOffered: tick(plan.isOffered),
  }
}

/** Returns the fields of the chat texts in one language. */
export const chatFields = ({ name, texts }: ChatLanguage) => ({
  name,
  ...Object.fromEntries(CHAT_OCCASIONS.map((occasion) => [textField(occasion), texts[occasion]])),
})

/** Returns the fields of the announcement; those of a new one if there is none. */
export const announcementFields = (announcement: Announcement | null) => ({
  text: announcement?.text ?? '',
  level: announcement?.level ?? 'info',
  fromDay: announcement?.fromDay ?? '',
  untilDay: announcement?.untilDay ?? '',
})

/** The days are those of the text. */
export const ANNOUNCEMENT_TOGETHER: Together = [['text', 'fromDay', 'untilDay']]

/** The sentence that users read during a pause, unless the administrator writes another. */
const PAUSED =
  'We are working on the service. New videos can be ordered again soon; videos under way are made.'

/** Returns the field of a pause of new orders. */
export const pauseFields = (pause: { text: string } | null) => ({ text: pause?.text ?? PAUSED })

/** Returns the fields of the referral; what is proposed if it is off. */
export const referralFields = (referral: Referral | null) => ({
  unit: referral?.unit ?? 'days',
  amount: String(referral?.amount ?? 7),
  perMonth: String(referral?.perMonth ?? 5),
})

/** So many of which. */
export const REFERRAL_TOGETHER: Together = [['unit', 'amount']]

/** Returns the fields of the alarms. */
export const alarmFields = ({ targets, names, fewKeys, failures, ...times }: AlarmSettings) => ({
  webhook: targets.webhook ?? '',
  telegram: targets.telegram ?? '',
  email: targets.email ?? '',
  names: [...names],
  fewKeys: String(fewKeys),
  failures: String(failures),
  quietFrom: times.quietFrom ?? '',
  quietUntil: times.quietUntil ?? '',
  summaryAt: times.summaryAt ?? '',
})

/** Quiet hours. */
export const ALARMS_TOGETHER: Together = [['quietFrom', 'quietUntil']]

/** The field of what a video costs at a further provider. */
export const costField = (name: string) => `amount-${name}` as const

/** Returns the fields of the cost of one video at each provider; an empty amount if it is not known. */
export const costFields = (costs: VideoCosts | null, others: readonly string[]) => ({
  amount: costs ? amountText(costs) : '',
  currency: costs?.currency ?? 'PKR',
  ...Object.fromEntries(
    others.map((name) => {
      const amount = costs?.others[name]
      return [costField(name), costs && amount ? amountText({ ...costs, amount }) : '']
    }),
  ),
})

/** An amount is one of its currency. */
export const costTogether = (others: readonly string[]): Together => [
  ['amount', 'currency', ...others.map(costField)],
]

type Caps = Omit<Helper, 'id' | 'username'>

/** Returns the fields of a helper’s rights. Without a cap the amount is 0. */
export const rightsFields = (helper: Caps) => ({
  rights: [...helper.rights],
  regeneratePerDay: String(helper.regeneratePerDay),
  confirmUpTo: String(helper.confirmUpTo ?? 0),
  codesUpTo: String(helper.codesUpTo ?? 0),
  confirmCurrency: helper.confirmCurrency ?? 'PKR',
})

/** A cap is one of its currency. */
export const RIGHTS_TOGETHER: Together = [['confirmUpTo', 'codesUpTo', 'confirmCurrency']]

/** Returns the fields of the note about a customer. */
export const noteFields = ({ note, language }: Pick<CustomerCard, 'note' | 'language'>) => ({
  note,
  language: language ?? '',
})

type TokenFacts = Pick<TokenView, 'label' | 'account' | 'note' | 'paidUntil' | 'costPerVideo'>

/** Returns the fields of what operators note about a token. */
export const tokenFields = ({ label, account, note, paidUntil, costPerVideo }: TokenFacts) => ({
  // The name of a token that the operator has not named.
  label: /^Token \d+$/.test(label) ? '' : label,
  account: account ?? '',
  note: note ?? '',
  paidUntil: paidUntil ?? '',
  costPerVideo: costPerVideo === null ? '' : String(Number(costPerVideo)),
})

/** Fields of the edit form that contain the account's values when it opens. */
export const EDIT_FORM_FIELDS = [...FIELD_NAMES, 'expireDays', 'bearerToken'] as const

function fieldTexts(account: AccountFields): Record<FieldName, string>
function fieldTexts(account: AccountFields): Record<string, string> {
  const textOf = (value: AccountFields[FieldName]) =>
    typeof value === 'boolean' ? tick(value) : String(value ?? '')
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, textOf(account[name])]))
}

/** Returns the fields of an account. The token is masked. */
export const userFields = (user: ManagedUser) => ({
  ...fieldTexts(user),
  expireDays: String(shownExpireDays(user.daysLeft)),
  renewFromToday: '',
  bearerToken: user.tokenMasked ?? '',
})

/** What was sold is one value. To renew from today gives the days that the page shows. */
export const USER_TOGETHER: Together = [PLAN_FIELDS, ['expireDays', 'renewFromToday']]
