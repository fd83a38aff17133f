import path from 'node:path'
import { z } from 'zod'
import { readProviderEnv, type ProviderEnv } from './providers/settings.server'
import { address, databaseAddress, hosts, oneOf, problemsIn, text, whole } from './setting-fields'
import type { Settings } from './settings'
import { readStorageEnv, type StorageEnv } from './storage/settings.server'

/**
 * A retention time in days; 0 means for ever. Less than `min` would remove data that is still in
 * use.
 */
function daysKept(min: number) {
  const most = 36_500
  const message = `must be 0 (for ever) or a whole number of days from ${min} to ${most}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value === 0 || (value >= min && value <= most), message)
    .transform((value) => (value === 0 ? null : value))
}

const positive = z
  .string()
  .default('1')
  .transform(Number)
  .refine((value) => Number.isFinite(value) && value > 0, 'must be a number greater than 0')

/** Offsets are refused: PostgreSQL reads the sign of `+05:00` the other way round. */
const isTimeZone = (value: string) => {
  if (/^[+-]/.test(value)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
  } catch {
    return false
  }
}

const secrets = z
  .string({ required_error: 'is required (npm start makes one when it starts the database)' })
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => part.length >= 32), 'must be at least 32 characters')

const or = (fallback: string) => text.transform((given) => given ?? fallback)

/** What earlier versions showed to buyers where no account was set. */
const PLACEHOLDERS = ['pay@example.com', '0300 0000000', 'PK00 XXXX 0000 0000 0000 0000']

/** An account that buyers pay to. Not set: its way of paying is not shown. */
const account = text.transform((given) =>
  given === undefined || PLACEHOLDERS.includes(given) ? null : given,
)

const mostTrials = whole({ min: 0, max: 1_000_000 })
  .optional()
  .transform((most) => most ?? null)

const shape = z.object({
  NODE_ENV: text,
  PORT: whole({ min: 0, max: 65535 }).default('3000'),
  HOST: or('127.0.0.1'),
  APP_URL: address('https:', 'http:').optional(),
  DATABASE_URL: databaseAddress,
  DATA_DIR: text.transform((value) => path.resolve(value ?? '.data')),
  SESSION_SECRET: secrets,
  ENCRYPTION_KEY: secrets,
  ADMIN_USERNAME: or('admin'),
  ADMIN_PASSWORD: z.string().min(6, 'must be at least 6 characters').optional(),
  ADMIN_SECOND_FACTOR: oneOf('optional', 'required').default('optional'),
  VIDEO_PROVIDER_TIME_SCALE: positive,
  STAND_IN_AFTER_MINUTES: whole({ min: 0, max: 1440 }).default('5'),
  IMAGE_TO_VIDEO: oneOf('off', 'on').default('off'),
  VIDEO_DURATION_SECONDS: whole({ min: 1, max: 60 }).default('8'),
  STORAGE_RESERVE_MB: whole({ min: 0, max: 1_000_000_000 }).default('1024'),
  KEEP_VIDEOS_DAYS: daysKept(1).default('0'),
  KEEP_ATTEMPTS_DAYS: daysKept(7).default('0'),
  KEEP_LEDGER_DAYS: daysKept(32).default('0'),
  KEEP_ROUNDS_DAYS: daysKept(7).default('0'),
  KEEP_ACTIVITY_DAYS: daysKept(7).default('0'),
  KEEP_ACCESS_DAYS: daysKept(7).default('180'),
  BACKUP_DIR: text,
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 03:00')
    .default('03:00'),
  BACKUP_AGE_RECIPIENT: z
    .string()
    .trim()
    .regex(/^age1[a-z0-9]+$/, 'must be a public key of age such as age1…')
    .optional(),
  BACKUP_S3_BUCKET: text,
  BACKUP_S3_ENDPOINT: address('https:', 'http:').optional(),
  BACKUP_S3_REGION: or('us-east-1'),
  BACKUP_S3_ACCESS_KEY_ID: text,
  BACKUP_S3_SECRET_ACCESS_KEY: text,
  BACKUP_S3_FORCE_PATH_STYLE: oneOf('true', 'false').default('false'),
  BACKUP_KEEP: whole({ min: 1, max: 10_000 }).default('7'),
  PLATFORM_MAX_IN_FLIGHT: whole({ min: 1, max: 100_000 }).default('500'),
  TOKEN_ACCOUNTS: oneOf('separate', 'shared').default('separate'),
  TOKEN_MAX_IN_FLIGHT: whole({ min: 1, max: 100_000 }).default('50'),
  PLATFORM_TIMEZONE: text
    .transform((value) => value ?? 'UTC')
    .refine(isTimeZone, 'must be a time zone such as UTC or Asia/Karachi'),
  PHONE_COUNTRY_CODE: z
    .string()
    .regex(/^\+?[1-9]\d{0,2}$/, 'must be one to three digits, such as 92')
    .transform((value) => value.replace('+', ''))
    .optional(),
  PHONE_COUNTRY_CODES: z
    .string()
    .transform((value) => value.split(/[\s,;]+/).flatMap((code) => code.replace('+', '') || []))
    .refine(
      (codes) => codes.length > 0 && codes.every((code) => /^[1-9]\d{0,2}$/.test(code)),
      'must be one or more country codes, such as 92,971',
    )
    .optional(),
  SIGNUP_TRIAL_VIDEOS: whole({ min: 0, max: 10000 }).default('3'),
  SIGNUP_TRIAL_DAYS: whole({ min: 1, max: 3650 }).default('3'),
  SIGNUP_TRIAL_MAX_PER_NETWORK: mostTrials,
  SIGNUP_TRIAL_MAX_PER_DAY: mostTrials,
  WORKER_CONCURRENCY: whole({ min: 1, max: 500 }).default('20'),
  PRODUCT_NAME: or('Reelmill'),
  PRODUCT_DOMAIN: or('example.com'),
  CONTACT_CHAT_NUMBER: z
    .string()
    .regex(/^\+?[\d\s-]{5,20}$/, 'must be a phone number with its country code')
    .default('10000000000'),
  CONTACT_EMAIL: or('hello@example.com'),
  CONTACT_SOCIAL_URL: address('https:', 'http:').default('https://example.com'),
  PAYMENT_EXCHANGE_NAME: or('Crypto exchange'),
  PAYMENT_EXCHANGE_ACCOUNT_NAME: or('Account holder'),
  PAYMENT_EXCHANGE_ACCOUNT: account,
  PAYMENT_WALLET_NAME: or('Mobile wallet'),
  PAYMENT_WALLET_ACCOUNT_NAME: or('Account holder'),
  PAYMENT_WALLET_ACCOUNT: account,
  PAYMENT_BANK_NAME: or('Bank transfer'),
  PAYMENT_BANK_ACCOUNT_NAME: or('Account holder'),
  PAYMENT_BANK_ACCOUNT: account,
  ALARM_WEBHOOK_SECRET: z
    .string()
    .min(16, 'must be at least 16 characters')
    .refine(
      (secret) =>
        !secret.startsWith('whsec_') || Buffer.from(secret.slice(6), 'base64').length >= 16,
      'must have at least 16 bytes in base64 after whsec_',
    )
    .optional(),
  ALARM_WEBHOOK_HOSTS: hosts,
  ALARM_TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'must be a bot’s token such as 123456:ABC-DEF')
    .optional(),
  ALARM_TELEGRAM_URL: address('https:', 'http:').default('https://api.telegram.org'),
  ALARM_SMTP_URL: address('smtps:', 'smtp:').optional(),
  ALARM_MAIL_FROM: z.string().email('must be an e-mail address').optional(),
  USER_EMAIL: oneOf('on', 'off').default('off'),
  USER_WEBHOOKS: oneOf('on', 'off').default('off'),
  USER_WEBHOOK_HOSTS: hosts,
  WEB_PUSH: oneOf('on', 'off').default('off'),
  WEB_PUSH_HOSTS: hosts,
  TEXT_SERVICE_KEY: text,
  TEXT_SERVICE_MODEL: text,
  TEXT_SERVICE_URL: address('https:', 'http:').default('https://api.openai.com/v1'),
  THROTTLE_SCALE: positive,
  TRUST_PROXY: whole({ min: 0, max: 10 }).default('0'),
  METRICS_TOKEN: text,
  WORKER_METRICS_PORT: whole({ min: 0, max: 65535 }).default('0'),
  DRAIN_SECONDS: whole({ min: 0, max: 300 }).default('5'),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
})

export type Env = z.output<typeof shape> & ProviderEnv & StorageEnv & { APP_URL: string }

export type EnvResult = { ok: true; env: Env } | { ok: false; problems: string[] }

/** Reads all settings. Returns them, or a list of all problems in words. */
export function readEnv(source: Settings): EnvResult {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const result = shape.safeParse(given)
  const provider = readProviderEnv(given)
  const together = [
    ...problemsOfBackups(given),
    ...problemsOfNotifications(given),
    ...problemsOfTexts(given),
  ]
  const storage = readStorageEnv(given)
  if (!result.success || !provider.ok || !storage.ok || together.length > 0) {
    const problems = [
      ...(result.success ? [] : problemsIn(result.error)),
      ...(provider.ok ? [] : provider.problems),
      ...(storage.ok ? [] : storage.problems),
      ...together,
    ]
    return { ok: false, problems: [...new Set(problems)] }
  }
  const { HOST, PORT, APP_URL } = result.data
  const defaults = { APP_URL: APP_URL ?? `http://${HOST}:${PORT}` }
  return { ok: true, env: { ...result.data, ...provider.env, ...storage.env, ...defaults } }
}

const FOR_BUCKET = [
  'BACKUP_AGE_RECIPIENT',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
] as const

/** A backup leaves this machine only encrypted. */
const problemsOfBackups = (given: Settings): string[] =>
  given.BACKUP_S3_BUCKET === undefined
    ? []
    : FOR_BUCKET.filter((name) => given[name] === undefined).map(
        (name) => `${name} is required with BACKUP_S3_BUCKET`,
      )

/** Notifications by e-mail need the mail server that alarms have. */
const problemsOfNotifications = ({ USER_EMAIL, ALARM_SMTP_URL }: Settings): string[] =>
  USER_EMAIL === 'on' && ALARM_SMTP_URL === undefined
    ? ['ALARM_SMTP_URL is required with USER_EMAIL=on']
    : []

/** No model is right for all services. */
const problemsOfTexts = ({
  TEXT_SERVICE_KEY: key,
  TEXT_SERVICE_MODEL: model,
}: Settings): string[] =>
  key !== undefined && model === undefined
    ? ['TEXT_SERVICE_MODEL is required with TEXT_SERVICE_KEY']
    : []

/**
 * Reads all settings for an entry point. If there are problems, prints them and exits the process.
 */
export function requireEnv(source: Settings): Env {
  const result = readEnv(source)
  if (result.ok) return result.env
  process.stderr.write(
    `The settings need attention:\n${result.problems.map((p) => `  - ${p}\n`).join('')}`,
  )
  process.exit(1)
}
