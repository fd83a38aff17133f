import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import type { Logger } from 'pino'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { BusinessDefaults } from '~/domain/context'
import type { Deps, TrialSettings } from '~/domain/context'
import { minutes } from '~/lib/time'
import { createReadBackups } from '~/platform/backups/folder.server'
import { openFitness } from '~/platform/db/fitness.server'
import { createDb, createPool, createQueuePool } from '~/platform/db/postgres.server'
import type { Env } from '~/platform/env.server'
import { createLog } from '~/platform/log.server'
import { createMailSender } from '~/platform/mail/smtp.server'
import { createMetrics } from '~/platform/metrics.server'
import { openInspector } from '~/platform/media/inspect.server'
import { openWorkbookReader } from '~/platform/workbooks/reader.server'
import { openJoiner } from '~/platform/media/joiner.server'
import { openLastPicture } from '~/platform/media/last-picture-child.server'
import { openRedraw } from '~/platform/media/picture.server'
import type { ProviderHost } from '~/platform/providers/definition'
import { argon2Passwords } from '~/platform/passwords/argon2.server'
import { nfcPasswords } from '~/platform/passwords/nfc'
import { createPushSender } from '~/platform/push/sender.server'
import { createQueue } from '~/platform/queue/enqueue.server'
import { createVault } from '~/platform/secrets/vault.server'
import { createStorage } from '~/platform/storage/registry.server'
import { createTelegramSender } from '~/platform/telegram/sender.server'
import { createTextService } from '~/platform/texts/chat.server'
import { postgresThrottles } from '~/platform/throttle/postgres.server'
import { createWebhookSender } from '~/platform/webhooks/sender.server'

export type ProcessConfig = {
  env: Env
  /** Names the process in the log: web, worker. */
  name: string
  /** The folder of the built programs, which contains the entry files of child processes. */
  buildDir: string
  poolSize: number
  /** The number of graphile-worker's connections, if the process runs jobs. */
  queuePoolSize?: number
  /**
   * How long to wait for a free connection. Short for pages, which report at once that the service
   * is too busy; longer for jobs.
   */
  connectTimeoutMs: number
  statementTimeoutMs: number
}

export type Boot = {
  env: Env
  deps: Deps
  pool: pg.Pool
  queuePool: pg.Pool
  log: Logger
  /** Returns why the database cannot be used as it is, or null if it can. See fitness.server.ts. */
  databaseProblem: () => Promise<string | null>
  /** The metrics of this process. */
  metrics: Registry
  /** Aborted as soon as the process has been asked to stop. */
  stopping: AbortController
  /** Ends child processes and closes connections. `deps` cannot be used afterwards. */
  close(): Promise<void>
}

/**
 * Decoding runs at the lowest priority. At least two at once, so that one bad clip does not delay
 * the others.
 */
const INSPECTIONS_AT_ONCE = Math.max(2, Math.floor(os.availableParallelism() / 2))

/**
 * The settings of trials. By default 30 new accounts per network, and 300 in total, can use up a
 * day's quota.
 */
function trialOf(env: Env): TrialSettings {
  const { SIGNUP_TRIAL_VIDEOS: videos, SIGNUP_TRIAL_DAYS: days, THROTTLE_SCALE: scale } = env
  const most = (given: number | null, accounts: number) =>
    Math.ceil((given ?? accounts * videos) * scale)
  return {
    videos,
    days,
    mostPerNetwork: most(env.SIGNUP_TRIAL_MAX_PER_NETWORK, 30),
    mostPerDay: most(env.SIGNUP_TRIAL_MAX_PER_DAY, 300),
  }
}

const mailSenderOf = (env: Env) =>
  createMailSender({
    url: env.ALARM_SMTP_URL,
    from: env.ALARM_MAIL_FROM ?? env.CONTACT_EMAIL,
    fromName: env.PRODUCT_NAME,
  })

/** Makers of browsers ask for an address that answers: the product's own, or the operator's mailbox. */
const pushSenderOf = (env: Env) =>
  createPushSender({
    contact: env.APP_URL.startsWith('https:') ? env.APP_URL : `mailto:${env.CONTACT_EMAIL}`,
    trustedHosts: env.WEB_PUSH_HOSTS,
  })

/** Creates what sends messages to administrators and users. */
function sendersOf(env: Env) {
  return {
    mail: mailSenderOf(env),
    pushes: pushSenderOf(env),
    telegram: createTelegramSender({
      token: env.ALARM_TELEGRAM_TOKEN,
      baseUrl: env.ALARM_TELEGRAM_URL,
    }),
    webhooks: createWebhookSender({ trustedHosts: env.USER_WEBHOOK_HOSTS }),
    alarmWebhooks: createWebhookSender({ trustedHosts: env.ALARM_WEBHOOK_HOSTS }),
  }
}

function textServiceOf({ TEXT_SERVICE_KEY: key, TEXT_SERVICE_MODEL: model, ...env }: Env) {
  if (key === undefined || model === undefined) return null
  return createTextService({ baseUrl: env.TEXT_SERVICE_URL, key, model })
}

/** Names the programs that read files of others, each in a process of its own. */
function openPrograms(buildDir: string) {
  const entry = path.join(buildDir, 'inspect-clip.js')
  return {
    inspector: openInspector({ entry, atOnce: INSPECTIONS_AT_ONCE }),
    joinClips: openJoiner(path.join(buildDir, 'join-clips.js')),
    redraw: openRedraw(path.join(buildDir, 'redraw-picture.js')),
    lastPicture: openLastPicture(path.join(buildDir, 'last-picture.js')),
    readWorkbook: openWorkbookReader(path.join(buildDir, 'read-workbook.js')),
  }
}

/** Creates the adapters of the providers: of the first one, and of further ones. */
function openProviders(env: Env, { log, buildDir }: { log: Logger; buildDir: string }) {
  const host: ProviderHost = {
    now: () => Date.now(),
    note: (facts, words) => log.info(facts, words),
    timeScale: env.VIDEO_PROVIDER_TIME_SCALE,
    dataDir: env.DATA_DIR,
    buildDir,
  }
  return {
    provider: env.provider.create(host),
    otherProviders: env.others.map((other) => other.create(host)),
  }
}

/** Creates all adapters, and is the only place that does. Connections are opened on first use. */
export function boot({ env, name, buildDir, queuePoolSize = 2, ...limits }: ProcessConfig): Boot {
  const log = createLog(env.LOG_LEVEL, name)
  const postgres = { url: env.DATABASE_URL, log, ...limits }
  const pool = createPool(postgres)
  // Connects on first use, so a process without jobs never connects.
  const queuePool = createQueuePool({ ...postgres, poolSize: queuePoolSize })
  const db = createDb(pool)
  const { provider, otherProviders } = openProviders(env, { log, buildDir })
  const storage = createStorage(env)
  const { inspector, ...programs } = openPrograms(buildDir)
  const senders = sendersOf(env)
  const texts = textServiceOf(env)
  const deps: Deps = {
    db,
    log,
    queue: createQueue(),
    storage,
    provider,
    otherProviders,
    inspectClip: inspector.inspect,
    ...programs,
    readBackups: createReadBackups(env.BACKUP_DIR, env.BACKUP_S3_BUCKET !== undefined),
    ...senders,
    texts,
    passwords: nfcPasswords(argon2Passwords()),
    vault: createVault(env.ENCRYPTION_KEY),
    throttles: postgresThrottles(pool, env.THROTTLE_SCALE),
    settings: { ...settingsOf(env), version: versionOf(buildDir) },
  }
  return {
    env,
    deps,
    pool,
    queuePool,
    log,
    databaseProblem: openFitness(pool),
    metrics: createMetrics({ statements: pool, queue: queuePool }),
    stopping: new AbortController(),
    close: async () => {
      inspector.close()
      const { pushes, telegram, webhooks, alarmWebhooks } = senders
      const senderParts = [pushes, telegram, webhooks, alarmWebhooks]
      const parts = [provider, ...otherProviders, storage, ...senderParts]
      const stops = [...parts, texts].map((part) => part?.stop?.())
      await Promise.all([db.close(), queuePool.end(), ...stops])
    },
  }
}

/** PHONE_COUNTRY_CODE is the name from before there could be several. Both together: it comes first. */
function countriesOf({ PHONE_COUNTRY_CODE: one, PHONE_COUNTRY_CODES: several = [] }: Env) {
  return [...new Set(one === undefined ? several : [one, ...several])]
}

/** Reads the version from the package beside the build. */
function versionOf(buildDir: string): string {
  const file = path.join(buildDir, '..', 'package.json')
  const read = z.object({ version: z.string() }).safeParse(JSON.parse(readFileSync(file, 'utf8')))
  return read.success ? read.data.version : 'unknown'
}

const businessOf = (env: Env): BusinessDefaults => ({
  contacts: {
    chatNumber: env.CONTACT_CHAT_NUMBER,
    email: env.CONTACT_EMAIL,
    socialUrl: env.CONTACT_SOCIAL_URL,
  },
  payment: {
    exchange: {
      name: env.PAYMENT_EXCHANGE_NAME,
      accountName: env.PAYMENT_EXCHANGE_ACCOUNT_NAME,
      account: env.PAYMENT_EXCHANGE_ACCOUNT,
    },
    wallet: {
      name: env.PAYMENT_WALLET_NAME,
      accountName: env.PAYMENT_WALLET_ACCOUNT_NAME,
      account: env.PAYMENT_WALLET_ACCOUNT,
    },
    bank: {
      name: env.PAYMENT_BANK_NAME,
      accountName: env.PAYMENT_BANK_ACCOUNT_NAME,
      account: env.PAYMENT_BANK_ACCOUNT,
    },
  },
})

const settingsOf = (env: Env): Omit<Deps['settings'], 'version'> => ({
  timeZone: env.PLATFORM_TIMEZONE,
  phoneCountries: countriesOf(env),
  trial: trialOf(env),
  productName: env.PRODUCT_NAME,
  adminsNeedSecondFactor: env.ADMIN_SECOND_FACTOR === 'required',
  productDomain: env.PRODUCT_DOMAIN,
  appUrl: env.APP_URL,
  business: businessOf(env),
  imageToVideo: env.IMAGE_TO_VIDEO === 'on',
  clipSeconds: env.VIDEO_DURATION_SECONDS,
  maxInFlight: env.PLATFORM_MAX_IN_FLIGHT,
  maxInFlightPerToken: env.TOKEN_MAX_IN_FLIGHT,
  tokenAccounts: env.TOKEN_ACCOUNTS,
  keptDays: {
    videos: env.KEEP_VIDEOS_DAYS,
    attempts: env.KEEP_ATTEMPTS_DAYS,
    ledger: env.KEEP_LEDGER_DAYS,
    rounds: env.KEEP_ROUNDS_DAYS,
    activity: env.KEEP_ACTIVITY_DAYS,
    access: env.KEEP_ACCESS_DAYS,
  },
  notifications: {
    email: env.USER_EMAIL === 'on',
    webhook: env.USER_WEBHOOKS === 'on',
    push: env.WEB_PUSH === 'on',
  },
  alarmSecret: env.ALARM_WEBHOOK_SECRET ?? null,
  reserveBytes: env.STORAGE_RESERVE_MB * 1024 * 1024,
  providerTimeScale: env.VIDEO_PROVIDER_TIME_SCALE,
  standInAfterMs: minutes(env.STAND_IN_AFTER_MINUTES),
})
