import type { Logger } from 'pino'
import type { MailSender } from '~/platform/mail/port'
import type { PushSender } from '~/platform/push/port'
import type { TelegramSender } from '~/platform/telegram/port'
import type { TextService } from '~/platform/texts/port'
import type { WebhookSender } from '~/platform/webhooks/port'
import type { ReadBackups } from '~/platform/backups/port'
import type { Db } from '~/platform/db/port'
import type { VideoProvider } from '~/platform/providers/port'
import type { Queue } from '~/platform/queue/port'
import type { ReadWorkbook } from '~/platform/workbooks/port'
import type { VideoStorage } from '~/platform/storage/port'
import type { Passwords } from '~/platform/passwords/port'
import type { Vault } from '~/platform/secrets/port'
import type { Throttles } from '~/platform/throttle/port'
import type { InspectClip, JoinClips, LastPicture, Redraw } from '~/platform/media/port'

/** The trial of self-registered accounts, and the daily caps on what all of them may order. */
export type TrialSettings = {
  videos: number
  days: number
  mostPerNetwork: number
  mostPerDay: number
}

/** Retention in days per kind of data; null means for ever. See retention/rules.server.ts. */
export type KeptDays = Record<
  'videos' | 'attempts' | 'ledger' | 'rounds' | 'activity' | 'access',
  number | null
>

/** How visitors reach the operator. */
export type Contacts = { chatNumber: string; email: string; socialUrl: string }

export const PAYMENT_KINDS = ['exchange', 'wallet', 'bank'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

/** One way to pay. `account` is an e-mail address, phone number or IBAN; without one it is not shown. */
export type PaymentAccount = { name: string; accountName: string; account: string | null }
export type PaymentAccounts = Record<PaymentKind, PaymentAccount>

/** What the environment says; the Settings page replaces it. */
export type BusinessDefaults = { contacts: Contacts; payment: PaymentAccounts }

/** The operator's settings, read from the environment once at start. */
export type Settings = {
  timeZone: string
  /** Calling codes of the countries whose numbers may be written without one, the default first. */
  phoneCountries: readonly string[]
  trial: TrialSettings
  /** Shown above the account in an authenticator app. */
  productName: string
  /** Whether administrators need a second factor before they can act as administrators. */
  adminsNeedSecondFactor: boolean
  /** Domain of generated e-mail addresses. */
  productDomain: string
  /** The address under which users reach the product (APP_URL), for links in messages. */
  appUrl: string
  /** The product's version, from package.json. */
  version: string
  /** Contacts and payment accounts, where the settings page has not changed them. */
  business: BusinessDefaults
  /** Whether the operator offers videos from pictures. */
  imageToVideo: boolean
  /** Requested clip length in seconds. The provider's nearest length is used. */
  clipSeconds: number
  /** Maximum number of orders in progress, in total and per token. */
  maxInFlight: number
  maxInFlightPerToken: number
  /** Whether a new bearer key is an account of its own, or all keys of a server share one. */
  tokenAccounts: 'separate' | 'shared'
  /** Minimum free space for starting anything new; 0 disables the check. */
  reserveBytes: number
  keptDays: KeptDays
  /** Whether users may be told by e-mail, by a call to a web address, and by their browsers that a batch has ended. */
  notifications: { email: boolean; webhook: boolean; push: boolean }
  /** What signs alarms to a web address. Null: none are sent there. */
  alarmSecret: string | null
  /** Factor for the engine's delays towards the provider. Never applied to a plan's pace. */
  providerTimeScale: number
  /** How long a provider takes no orders before stand-ins get them. */
  standInAfterMs: number
}

/** Adapters and settings. Created once in app/boot and passed to functions, never imported. */
export type Deps = {
  db: Db
  log: Logger
  queue: Queue
  storage: VideoStorage
  /** The first provider, which gets the orders. In a step of the engine, the one that has the order. */
  provider: VideoProvider
  /** Further providers, which have orders as well. */
  otherProviders: readonly VideoProvider[]
  inspectClip: InspectClip
  joinClips: JoinClips
  /** Null: the package that draws is not installed, and customers cannot add pictures. */
  redraw: Redraw | null
  /** Null: the packages that decode are not installed, and no video continues a clip. */
  lastPicture: LastPicture | null
  readBackups: ReadBackups
  readWorkbook: ReadWorkbook
  mail: MailSender
  pushes: PushSender
  telegram: TelegramSender
  /** Calls what users name. */
  webhooks: WebhookSender
  /** Calls what administrators name for alarms: other hosts may be private there. */
  alarmWebhooks: WebhookSender
  /** Null: the operator has set none, and nothing of it is shown. */
  texts: TextService | null
  passwords: Passwords
  throttles: Throttles
  vault: Vault
  settings: Settings
}

export const USER_ROLES = ['admin', 'editor', 'user'] as const
export type UserRole = (typeof USER_ROLES)[number]

/** A browser in which this account was signed in before. */
export type KnownDevice = { id: string; username: string }

export type Actor =
  /** `invitedBy`: whose invite link the browser has opened. */
  | { kind: 'visitor'; address: string; device: KnownDevice | null; invitedBy?: string | null }
  | { kind: 'user'; id: string; role: UserRole; username: string }
  | { kind: 'system'; job: string }

/** First parameter of every command and query: the dependencies, the actor and the request id. */
export type Ctx = Deps & { actor: Actor; requestId: string }
export type VisitorCtx = Ctx & { actor: Extract<Actor, { kind: 'visitor' }> }
export type UserCtx = Ctx & { actor: Extract<Actor, { kind: 'user' }> }
/** When the password was last given in a session: within 15 minutes, within 12 hours, or before. */
export type PasswordAge = 'recent' | 'today' | 'old'
/** What an editor may be allowed to do for the administrators. An editor with a right is a helper. */
export const RIGHTS = [
  'create',
  'renew',
  'passwords',
  'payments',
  'regenerate',
  'prompts',
  'codes',
] as const
export type Right = (typeof RIGHTS)[number]
/** A helper, or an administrator, who has every right. */
export type HelperCtx = UserCtx & { actor: { rights: readonly Right[]; proof: PasswordAge } }
/** The type is the permission: only the guard that checks the role can create one. */
export type AdminCtx = UserCtx & { actor: { role: 'admin'; proof: PasswordAge } }
