import type { z } from 'zod'
import { minutes } from '~/lib/time'
import { oneOf, whole } from '../../setting-fields'
import type { ProviderHost, ProviderSettings } from '../definition'
import { bearerProblem } from '../http/scope'
import type { ServiceConfig } from '../io'
import type { AspectRatio } from '../port'
import {
  clipLengths,
  inMs,
  jsonObject,
  matching,
  orders,
  serviceConfig,
  serviceSettings,
  time,
  tokenProblems,
} from '../service-settings'
import {
  DIALECT_NAMES,
  DIALECTS,
  type Ambiguous,
  type BodyEncoding,
  type Dialect,
  type NegativePrompts,
} from './dialects'

export type OpenAiVideosConfig = ServiceConfig & {
  dialect: Dialect
  bodyEncoding: BodyEncoding
  sizes: Readonly<Record<AspectRatio, string>>
  /** The clip lengths that the model supports. */
  seconds: readonly [number, ...number[]]
  /** The frame rate for models that count frames (4n+1). Null: only seconds are sent. */
  framesAt: number | null
  negative: NegativePrompts
  ambiguous: Ambiguous
  /** Additional fields of the order, as the server names them. */
  extra: Readonly<Record<string, unknown>>
}

const SIZE = /^\d{2,4}x\d{2,4}$/

const schema = serviceSettings.extend({
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
  OPENAI_VIDEOS_DEADLINE_SECONDS: time,
  OPENAI_VIDEOS_EXPECTED_SECONDS: time,
})
type Values = z.output<typeof schema>

export const settings: ProviderSettings<Values, OpenAiVideosConfig> = {
  prefix: 'OPENAI_VIDEOS_',
  schema,
  problems: (values) => [...serverProblems(values), ...tokenProblems(values, bearerProblem)],
  configOf,
}

function serverProblems(values: Values): string[] {
  const problems: string[] = []
  const address = values.VIDEO_PROVIDER_URL
  const dialect = values.OPENAI_VIDEOS_DIALECT ?? 'openai'
  const { encodings, list } = DIALECTS[dialect]
  const encoding = values.OPENAI_VIDEOS_BODY
  if (address === undefined) problems.push('VIDEO_PROVIDER_URL is required for openai-videos')
  else if (!address.endsWith('/v1'))
    problems.push('VIDEO_PROVIDER_URL must end in /v1 for openai-videos')
  if (values.VIDEO_PROVIDER_MODEL === undefined) {
    problems.push('VIDEO_PROVIDER_MODEL is required for openai-videos')
  }
  if (encoding !== undefined && !encodings.includes(encoding)) {
    problems.push(`OPENAI_VIDEOS_BODY must be ${encodings.join(' or ')} for ${dialect}`)
  }
  if (values.OPENAI_VIDEOS_AMBIGUOUS === 'list' && list === 'without-prompt') {
    problems.push(
      `OPENAI_VIDEOS_AMBIGUOUS cannot be list for ${dialect}: its list does not say which prompt an order has`,
    )
  }
  return problems
}

function configOf(values: Values, host: ProviderHost): OpenAiVideosConfig {
  const dialect = values.OPENAI_VIDEOS_DIALECT ?? 'openai'
  const traits = DIALECTS[dialect]
  const isOwn = traits.host === 'own'
  const lengths = values.OPENAI_VIDEOS_SECONDS ?? [...traits.seconds]
  const [shortest = traits.seconds[0], ...longer] = lengths
  const framesAt = values.OPENAI_VIDEOS_FRAMES_PER_SECOND ?? traits.framesAt ?? 0
  return {
    ...serviceConfig(values, { baseUrl: '', model: '' }, host),
    submitsPerMinute: values.OPENAI_VIDEOS_SUBMITS_PER_MINUTE,
    // A self-hosted server makes one clip at a time.
    maxInFlight: values.OPENAI_VIDEOS_MAX_IN_FLIGHT ?? (isOwn ? 1 : undefined),
    dialect,
    bodyEncoding: values.OPENAI_VIDEOS_BODY ?? traits.encodings[0],
    sizes: {
      portrait: values.OPENAI_VIDEOS_SIZE_PORTRAIT ?? '720x1280',
      landscape: values.OPENAI_VIDEOS_SIZE_LANDSCAPE ?? '1280x720',
    },
    seconds: [shortest, ...longer],
    framesAt: framesAt === 0 ? null : framesAt,
    negative: values.OPENAI_VIDEOS_NEGATIVE ?? traits.negative,
    ambiguous: values.OPENAI_VIDEOS_AMBIGUOUS ?? traits.ambiguous,
    extra: values.OPENAI_VIDEOS_EXTRA ?? {},
    deadlineMs: inMs(values.OPENAI_VIDEOS_DEADLINE_SECONDS, isOwn ? minutes(60) : minutes(20)),
    expectedMs: inMs(values.OPENAI_VIDEOS_EXPECTED_SECONDS, isOwn ? minutes(5) : minutes(3)),
  }
}
