import type { Logger } from 'pino'
import type { Db } from '~/platform/db/port'
import type { VideoProvider } from '~/platform/providers/port'
import type { Queue } from '~/platform/queue/port'
import type { VideoStorage } from '~/platform/storage/port'
import type { UserRole } from './accounts/types'
import type { Passwords } from '~/platform/passwords/port'
import type { Vault } from '~/platform/secrets/port'
import type { Throttles } from '~/platform/throttle/port'
import type { InspectClip } from './videos/clip'

/** What a self-registered account may try, and how much of it all of them order in a day. */
export type TrialSettings = {
  videos: number
  days: number
  mostPerNetwork: number
  mostPerDay: number
}

/** For how many days each is kept; null for ever. See retention.server.ts. */
export type KeptDays = Record<
  'videos' | 'attempts' | 'ledger' | 'rounds' | 'activity' | 'access',
  number | null
>

/** What the operator decides and the domain obeys; read once at start from the environment. */
export type Settings = {
  timeZone: string
  /** Digits of the country whose numbers may be written with a trunk 0; null: none. */
  phoneCountryCode: string | null
  trial: TrialSettings
  /** Heads the account in an authenticator app. */
  productName: string
  /** Administrators can do nothing as such until they have a second factor. */
  adminsNeedSecondFactor: boolean
  /** Behind the @ of e-mail addresses that the product makes up. */
  productDomain: string
  /** Clip length asked for, in seconds; the provider's nearest is taken. */
  clipSeconds: number
  /** Orders under way on the whole platform, and of one token. */
  maxInFlight: number
  maxInFlightPerToken: number
  /** Free space below which nothing new is started; 0 looks at none. */
  reserveBytes: number
  keptDays: KeptDays
  /** Multiplies the engine's waits for the provider; never a plan's pace. */
  providerTimeScale: number
}

/** Adapters and settings. Built once in app/boot, passed along, never imported. */
export type Deps = {
  db: Db
  log: Logger
  queue: Queue
  storage: VideoStorage
  provider: VideoProvider
  inspectClip: InspectClip
  passwords: Passwords
  throttles: Throttles
  vault: Vault
  settings: Settings
}

/** A browser in which this account was signed in before. */
export type KnownDevice = { id: string; username: string }

export type Actor =
  | { kind: 'visitor'; address: string; device: KnownDevice | null }
  | { kind: 'user'; id: string; role: UserRole; username: string }
  | { kind: 'system'; job: string }

/** Every command and query takes one of these first: the dependencies, who acts, and under which id. */
export type Ctx = Deps & { actor: Actor; requestId: string }
export type VisitorCtx = Ctx & { actor: Extract<Actor, { kind: 'visitor' }> }
export type UserCtx = Ctx & { actor: Extract<Actor, { kind: 'user' }> }
/**
 * The type is the permission: only the guard that checked the role can make one. `hasProof`: the
 * password was given a short while ago (`requireProof`).
 */
export type AdminCtx = UserCtx & { actor: { role: 'admin'; hasProof: boolean } }
