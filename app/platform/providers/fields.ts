import { z } from 'zod'
import { DIALECT_NAMES } from './openai-videos/config'

/** All video providers. */
const PROVIDER_NAMES = ['local', 'vertex-veo', 'openai-videos', 'runway'] as const

/** A text setting; an empty string counts as not set. */
const text = z.string().trim().min(1).optional().catch(undefined)

function whole(name: string, { min, max }: { min: number; max: number }) {
  const message = `${name} must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .optional()
}

function oneOf<const T extends readonly [string, ...string[]]>(name: string, values: T) {
  const message = `${name} must be ${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`
  return z.enum(values, { errorMap: () => ({ message }) }).optional()
}

/** An address without a trailing slash. */
function address(name: string) {
  const message = `${name} must be an address that starts with https:// or http://`
  return z
    .string()
    .trim()
    .refine((value) => {
      return URL.canParse(value) && ['https:', 'http:'].includes(new URL(value).protocol)
    }, message)
    .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
    .optional()
}

function matching(name: string, form: RegExp, words: string) {
  return z.string().trim().regex(form, `${name} must be ${words}`).optional()
}

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
    'VIDEO_PROVIDER_ASSET_HOSTS must be hosts such as cdn.example.com or localhost:8080, with commas between them',
  )

const clipLengths = z
  .string()
  .regex(
    /^\s*\d{1,2}(\s*,\s*\d{1,2})*\s*$/,
    'OPENAI_VIDEOS_SECONDS must be clip lengths in seconds, such as 4,8,12',
  )
  .transform((value) => value.split(',').map(Number))
  .refine(
    (lengths) => lengths.every((length) => length >= 1 && length <= 60),
    'OPENAI_VIDEOS_SECONDS must be between 1 and 60 seconds each',
  )
  .optional()

const jsonObject = z
  .string()
  .transform((value, context): Record<string, unknown> => {
    try {
      return z.record(z.unknown()).parse(JSON.parse(value))
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'OPENAI_VIDEOS_EXTRA must be a JSON object, such as {"guidance_scale": 5}',
      })
      return z.NEVER
    }
  })
  .optional()

const limits = (prefix: string) =>
  ({
    submits: whole(`${prefix}_SUBMITS_PER_MINUTE`, { min: 1, max: 100_000 }),
    inFlight: whole(`${prefix}_MAX_IN_FLIGHT`, { min: 1, max: 100_000 }),
    deadline: whole(`${prefix}_DEADLINE_SECONDS`, { min: 1, max: 86_400 }),
    expected: whole(`${prefix}_EXPECTED_SECONDS`, { min: 1, max: 86_400 }),
  }) as const

const vertex = limits('VERTEX')
const openAiVideos = limits('OPENAI_VIDEOS')
const runway = limits('RUNWAY')
const SIZE = /^\d{2,4}x\d{2,4}$/

/** One field per setting. `providerProblems` checks their combination. */
export const providerFields = {
  VIDEO_PROVIDER: oneOf('VIDEO_PROVIDER', PROVIDER_NAMES).transform((name) => name ?? 'local'),
  VIDEO_PROVIDER_TOKEN: text,
  VIDEO_PROVIDER_URL: address('VIDEO_PROVIDER_URL'),
  VIDEO_PROVIDER_MODEL: text,
  VIDEO_PROVIDER_ASSET_HOSTS: hosts,
  VERTEX_PROJECT: matching('VERTEX_PROJECT', /^[a-z0-9.:-]{1,63}$/, 'a Google project id'),
  VERTEX_LOCATION: matching(
    'VERTEX_LOCATION',
    /^[a-z0-9-]{2,40}$/,
    'a location such as us-central1',
  ),
  VERTEX_BUCKET: matching(
    'VERTEX_BUCKET',
    /^[a-z0-9][a-z0-9._-]{2,221}$/,
    'a bucket, without gs://',
  ),
  VERTEX_PREFIX: matching(
    'VERTEX_PREFIX',
    /^[\w./-]{0,200}$/,
    'a folder in the bucket, such as veo/',
  ),
  VERTEX_STORAGE_URL: address('VERTEX_STORAGE_URL'),
  VERTEX_TOKEN_URL: address('VERTEX_TOKEN_URL'),
  VERTEX_GENERATE_AUDIO: oneOf('VERTEX_GENERATE_AUDIO', ['true', 'false']),
  VERTEX_PERSON_GENERATION: text,
  VERTEX_QUOTA_PROJECT: text,
  VERTEX_AMBIGUOUS: oneOf('VERTEX_AMBIGUOUS', ['fail', 'resubmit']),
  VERTEX_SUBMITS_PER_MINUTE: vertex.submits,
  VERTEX_MAX_IN_FLIGHT: vertex.inFlight,
  VERTEX_DEADLINE_SECONDS: vertex.deadline,
  VERTEX_EXPECTED_SECONDS: vertex.expected,
  OPENAI_VIDEOS_DIALECT: oneOf('OPENAI_VIDEOS_DIALECT', DIALECT_NAMES),
  OPENAI_VIDEOS_BODY: oneOf('OPENAI_VIDEOS_BODY', ['json', 'multipart']),
  OPENAI_VIDEOS_SIZE_PORTRAIT: matching(
    'OPENAI_VIDEOS_SIZE_PORTRAIT',
    SIZE,
    'a size such as 720x1280',
  ),
  OPENAI_VIDEOS_SIZE_LANDSCAPE: matching(
    'OPENAI_VIDEOS_SIZE_LANDSCAPE',
    SIZE,
    'a size such as 1280x720',
  ),
  OPENAI_VIDEOS_SECONDS: clipLengths,
  OPENAI_VIDEOS_FRAMES_PER_SECOND: whole('OPENAI_VIDEOS_FRAMES_PER_SECOND', { min: 0, max: 120 }),
  OPENAI_VIDEOS_NEGATIVE: oneOf('OPENAI_VIDEOS_NEGATIVE', ['native', 'fold', 'none']),
  OPENAI_VIDEOS_AMBIGUOUS: oneOf('OPENAI_VIDEOS_AMBIGUOUS', ['list', 'resubmit', 'fail']),
  OPENAI_VIDEOS_EXTRA: jsonObject,
  OPENAI_VIDEOS_SUBMITS_PER_MINUTE: openAiVideos.submits,
  OPENAI_VIDEOS_MAX_IN_FLIGHT: openAiVideos.inFlight,
  OPENAI_VIDEOS_DEADLINE_SECONDS: openAiVideos.deadline,
  OPENAI_VIDEOS_EXPECTED_SECONDS: openAiVideos.expected,
  RUNWAY_VERSION: matching('RUNWAY_VERSION', /^\d{4}-\d{2}-\d{2}$/, 'a date such as 2024-11-06'),
  RUNWAY_AUDIO: oneOf('RUNWAY_AUDIO', ['true', 'false']),
  RUNWAY_AMBIGUOUS: oneOf('RUNWAY_AMBIGUOUS', ['fail', 'resubmit']),
  RUNWAY_SUBMITS_PER_MINUTE: runway.submits,
  RUNWAY_MAX_IN_FLIGHT: runway.inFlight,
  RUNWAY_DEADLINE_SECONDS: runway.deadline,
  RUNWAY_EXPECTED_SECONDS: runway.expected,
}

export const providerShape = z.object(providerFields)
export type ProviderEnv = z.output<typeof providerShape>
