import path from 'node:path'
import { z } from 'zod'
import type { ProviderEnv } from './providers/fields'
import { readProviderEnv } from './providers/settings.server'
import type { Settings } from './settings'
import { readStorageEnv, type StorageEnv } from './storage/settings.server'

/** A text setting; an empty string counts as not set. */
const text = z.string().trim().min(1).optional().catch(undefined)

type Range<Fallback> = { min: number; max: number; fallback: Fallback }

/** A whole number; `fallback`, which may be null, if it is not set. */
function whole<Fallback extends number | null>(
  name: string,
  { min, max, fallback }: Range<Fallback>,
) {
  const message = `${name} must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^-?\d+$/, message)
    .optional()
    .transform((value): number | Fallback => (value === undefined ? fallback : Number(value)))
    .refine((value) => value === null || (value >= min && value <= max), message)
}

/**
 * A retention time in days; 0 means for ever. Less than `min` would remove data that is still in
 * use.
 */
function daysKept(name: string, { min, fallback = 0 }: { min: number; fallback?: number }) {
  const most = 36_500
  const message = `${name} must be 0 (for ever) or a whole number of days from ${min} to ${most}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .optional()
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .refine((value) => value === 0 || (value >= min && value <= most), message)
    .transform((value) => (value === 0 ? null : value))
}

function positive(name: string) {
  const message = `${name} must be a number greater than 0`
  return z
    .string()
    .optional()
    .transform((value) => (value === undefined ? 1 : Number(value)))
    .refine((value) => Number.isFinite(value) && value > 0, message)
}

function address(name: string, protocols: readonly string[]) {
  const message = `${name} must be an address that starts with ${protocols.join(' or ')}//`
  return z.string().refine((value) => {
    return URL.canParse(value) && protocols.includes(new URL(value).protocol)
  }, message)
}

const isTimeZone = (value: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
  } catch {
    return false
  }
}

const secrets = (name: string) =>
  z
    .string({
      required_error: `${name} is required (npm start makes one when it starts the database)`,
    })
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every((part) => part.length >= 32),
      `${name} must be at least 32 characters`,
    )

const or = (fallback: string) => text.transform((given) => given ?? fallback)

const TRIALS = { min: 0, max: 1_000_000, fallback: null }

const shape = z.object({
  NODE_ENV: text,
  PORT: whole('PORT', { min: 0, max: 65535, fallback: 3000 }),
  HOST: or('127.0.0.1'),
  APP_URL: address('APP_URL', ['http:', 'https:']).optional(),
  DATABASE_URL: address('DATABASE_URL', ['postgres:', 'postgresql:']),
  DATA_DIR: text.transform((value) => path.resolve(value ?? '.data')),
  SESSION_SECRET: secrets('SESSION_SECRET'),
  ENCRYPTION_KEY: secrets('ENCRYPTION_KEY'),
  ADMIN_USERNAME: or('admin'),
  ADMIN_PASSWORD: z.string().min(6, 'ADMIN_PASSWORD must be at least 6 characters').optional(),
  ADMIN_SECOND_FACTOR: z
    .enum(['optional', 'required'], {
      errorMap: () => ({ message: 'ADMIN_SECOND_FACTOR must be optional or required' }),
    })
    .default('optional'),
  VIDEO_PROVIDER_TIME_SCALE: positive('VIDEO_PROVIDER_TIME_SCALE'),
  VIDEO_DURATION_SECONDS: whole('VIDEO_DURATION_SECONDS', { min: 1, max: 60, fallback: 8 }),
  STORAGE_RESERVE_MB: whole('STORAGE_RESERVE_MB', { min: 0, max: 1_000_000_000, fallback: 1024 }),
  KEEP_VIDEOS_DAYS: daysKept('KEEP_VIDEOS_DAYS', { min: 1 }),
  KEEP_ATTEMPTS_DAYS: daysKept('KEEP_ATTEMPTS_DAYS', { min: 7 }),
  KEEP_LEDGER_DAYS: daysKept('KEEP_LEDGER_DAYS', { min: 32 }),
  KEEP_ROUNDS_DAYS: daysKept('KEEP_ROUNDS_DAYS', { min: 7 }),
  KEEP_ACTIVITY_DAYS: daysKept('KEEP_ACTIVITY_DAYS', { min: 7 }),
  KEEP_ACCESS_DAYS: daysKept('KEEP_ACCESS_DAYS', { min: 7, fallback: 180 }),
  BACKUP_DIR: text,
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'BACKUP_AT must be a time of day such as 03:00')
    .default('03:00'),
  BACKUP_KEEP: whole('BACKUP_KEEP', { min: 1, max: 10_000, fallback: 7 }),
  PLATFORM_MAX_IN_FLIGHT: whole('PLATFORM_MAX_IN_FLIGHT', { min: 1, max: 100_000, fallback: 500 }),
  TOKEN_MAX_IN_FLIGHT: whole('TOKEN_MAX_IN_FLIGHT', { min: 1, max: 100_000, fallback: 50 }),
  PLATFORM_TIMEZONE: text
    .transform((value) => value ?? 'UTC')
    .refine(isTimeZone, 'PLATFORM_TIMEZONE must be a time zone such as UTC or Asia/Karachi'),
  PHONE_COUNTRY_CODE: z
    .string()
    .regex(/^\+?[1-9]\d{0,2}$/, 'PHONE_COUNTRY_CODE must be one to three digits, such as 92')
    .transform((value) => value.replace('+', ''))
    .optional(),
  SIGNUP_TRIAL_VIDEOS: whole('SIGNUP_TRIAL_VIDEOS', { min: 0, max: 10000, fallback: 3 }),
  SIGNUP_TRIAL_DAYS: whole('SIGNUP_TRIAL_DAYS', { min: 1, max: 3650, fallback: 3 }),
  SIGNUP_TRIAL_MAX_PER_NETWORK: whole('SIGNUP_TRIAL_MAX_PER_NETWORK', TRIALS),
  SIGNUP_TRIAL_MAX_PER_DAY: whole('SIGNUP_TRIAL_MAX_PER_DAY', TRIALS),
  WORKER_CONCURRENCY: whole('WORKER_CONCURRENCY', { min: 1, max: 500, fallback: 20 }),
  PRODUCT_NAME: or('Reelmill'),
  PRODUCT_DOMAIN: or('example.com'),
  CONTACT_CHAT_NUMBER: z
    .string()
    .regex(/^\+?[\d\s-]{5,20}$/, 'CONTACT_CHAT_NUMBER must be a phone number with its country code')
    .default('10000000000'),
  CONTACT_EMAIL: or('hello@example.com'),
  CONTACT_SOCIAL_URL: address('CONTACT_SOCIAL_URL', ['http:', 'https:']).default(
    'https://example.com',
  ),
  PAYMENT_EXCHANGE_NAME: or('Crypto exchange'),
  PAYMENT_EXCHANGE_ACCOUNT_NAME: or('Account holder'),
  PAYMENT_EXCHANGE_ACCOUNT: or('pay@example.com'),
  PAYMENT_WALLET_NAME: or('Mobile wallet'),
  PAYMENT_WALLET_ACCOUNT_NAME: or('Account holder'),
  PAYMENT_WALLET_ACCOUNT: or('0300 0000000'),
  PAYMENT_BANK_NAME: or('Bank transfer'),
  PAYMENT_BANK_ACCOUNT_NAME: or('Account holder'),
  PAYMENT_BANK_ACCOUNT: or('PK00 XXXX 0000 0000 0000 0000'),
  THROTTLE_SCALE: positive('THROTTLE_SCALE'),
  TRUST_PROXY: whole('TRUST_PROXY', { min: 0, max: 10, fallback: 0 }),
  METRICS_TOKEN: text,
  WORKER_METRICS_PORT: whole('WORKER_METRICS_PORT', { min: 0, max: 65535, fallback: 0 }),
  DRAIN_SECONDS: whole('DRAIN_SECONDS', { min: 0, max: 300, fallback: 5 }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      errorMap: () => ({
        message: 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
      }),
    })
    .default('info'),
})

export type Env = z.output<typeof shape> & ProviderEnv & StorageEnv & { APP_URL: string }

export type EnvResult = { ok: true; env: Env } | { ok: false; problems: string[] }

/** Reads all settings. Returns them, or a list of all problems in words. */
export function readEnv(source: Settings): EnvResult {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const result = shape.safeParse(given)
  const provider = readProviderEnv(given)
  const storage = readStorageEnv(given)
  if (!result.success || !provider.ok || !storage.ok) {
    const problems = [
      ...(result.success ? [] : problemsOf(result.error)),
      ...(provider.ok ? [] : provider.problems),
      ...(storage.ok ? [] : storage.problems),
    ]
    return { ok: false, problems: [...new Set(problems)] }
  }
  const { HOST, PORT, APP_URL } = result.data
  const defaults = { APP_URL: APP_URL ?? `http://${HOST}:${PORT}` }
  return { ok: true, env: { ...result.data, ...provider.env, ...storage.env, ...defaults } }
}

function problemsOf({ issues }: z.ZodError): string[] {
  return issues.map(({ path: [name], message }) =>
    message.includes(String(name)) ? message : `${String(name)}: ${message}`,
  )
}

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
