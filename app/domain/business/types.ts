import type { Contacts, PaymentAccount, PaymentAccounts, PaymentKind } from '../context'

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

/** Every setting that an operator changes without a restart, by its name. */
export type SettingValues = {
  contacts: Contacts
  payment: PaymentAccounts
  announcement: Announcement
  pause: OrderPause
}
export type SettingName = keyof SettingValues

/** The banners above a signed-in page. */
export type Notices = { announcement: Announcement | null; pause: OrderPause | null }
