import { z } from 'zod'
import { address, oneOf, text, whole } from '../setting-fields'
import { DIALECT_NAMES } from './openai-videos/config'

/** An address without a trailing slash. */
const url = address('https:', 'http:')
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
  .optional()

const matching = (form: RegExp, words: string) =>
  z.string().trim().regex(form, `must be ${words}`).optional()

const HOST = /^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/

const hosts = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => part !== ''),
  )
  .refine(
    (entries) => entries.every((entry) => HOST.test(entry)),
    'must be hosts such as cdn.example.com or localhost:8080, with commas between them',
  )

const clipLengths = z
  .string()
  .regex(/^\s*\d{1,2}(\s*,\s*\d{1,2})*\s*$/, 'must be clip lengths in seconds, such as 4,8,12')
  .transform((value) => value.split(',').map(Number))
  .refine(
    (lengths) => lengths.every((length) => length >= 1 && length <= 60),
    'must be between 1 and 60 seconds each',
  )
  .optional()

const jsonObject = z
  .string()
  .transform((value, context): Record<string, unknown> => {
    try {
      return z.record(z.unknown()).parse(JSON.parse(value))
    } catch {
      const message = 'must be a JSON object, such as {"guidance_scale": 5}'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
  })
  .optional()

const flag = oneOf('true', 'false').optional()
const orders = whole({ min: 1, max: 100_000 }).optional()
const seconds = whole({ min: 1, max: 86_400 }).optional()
const SIZE = /^\d{2,4}x\d{2,4}$/

/** One field per setting. `providerProblems` checks their combination. */
export const providerFields = {
  VIDEO_PROVIDER: oneOf('local', 'vertex-veo', 'openai-videos', 'runway').default('local'),
  VIDEO_PROVIDER_TOKEN: text,
  VIDEO_PROVIDER_URL: url,
  VIDEO_PROVIDER_MODEL: text,
  VIDEO_PROVIDER_ASSET_HOSTS: hosts,
  VERTEX_PROJECT: matching(/^[a-z0-9.:-]{1,63}$/, 'a Google project id'),
  VERTEX_LOCATION: matching(/^[a-z0-9-]{2,40}$/, 'a location such as us-central1'),
  VERTEX_BUCKET: matching(/^[a-z0-9][a-z0-9._-]{2,221}$/, 'a bucket, without gs://'),
  VERTEX_PREFIX: matching(/^[\w./-]{0,200}$/, 'a folder in the bucket, such as veo/'),
  VERTEX_STORAGE_URL: url,
  VERTEX_TOKEN_URL: url,
  VERTEX_GENERATE_AUDIO: flag,
  VERTEX_PERSON_GENERATION: text,
  VERTEX_QUOTA_PROJECT: text,
  VERTEX_AMBIGUOUS: oneOf('fail', 'resubmit').optional(),
  VERTEX_SUBMITS_PER_MINUTE: orders,
  VERTEX_MAX_IN_FLIGHT: orders,
  VERTEX_DEADLINE_SECONDS: seconds,
  VERTEX_EXPECTED_SECONDS: seconds,
  OPENAI_VIDEOS_DIALECT: oneOf(...DIALECT_NAMES).optional(),
  OPENAI_VIDEOS_BODY: oneOf('json', 'multipart').optional(),
  OPENAI_VIDEOS_SIZE_PORTRAIT: matching(SIZE, 'a size such as 720x1280'),
  OPENAI_VIDEOS_SIZE_LANDSCAPE: matching(SIZE, 'a size such as 1280x720'),
  OPENAI_VIDEOS_SECONDS: clipLengths,
  OPENAI_VIDEOS_FRAMES_PER_SECOND: whole({ min: 0, max: 120 }).optional(),
  OPENAI_VIDEOS_NEGATIVE: oneOf('native', 'fold', 'none').optional(),
  OPENAI_VIDEOS_AMBIGUOUS: oneOf('list', 'resubmit', 'fail').optional(),
  OPENAI_VIDEOS_EXTRA: jsonObject,
  OPENAI_VIDEOS_SUBMITS_PER_MINUTE: orders,
  OPENAI_VIDEOS_MAX_IN_FLIGHT: orders,
  OPENAI_VIDEOS_DEADLINE_SECONDS: seconds,
  OPENAI_VIDEOS_EXPECTED_SECONDS: seconds,
  RUNWAY_VERSION: matching(/^\d{4}-\d{2}-\d{2}$/, 'a date such as 2024-11-06'),
  RUNWAY_AUDIO: flag,
  RUNWAY_AMBIGUOUS: oneOf('fail', 'resubmit').optional(),
  RUNWAY_SUBMITS_PER_MINUTE: orders,
  RUNWAY_MAX_IN_FLIGHT: orders,
  RUNWAY_DEADLINE_SECONDS: seconds,
  RUNWAY_EXPECTED_SECONDS: seconds,
}

export const providerShape = z.object(providerFields)
export type ProviderEnv = z.output<typeof providerShape>
