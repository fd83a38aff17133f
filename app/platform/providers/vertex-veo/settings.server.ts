import type { z } from 'zod'
import { minutes, seconds } from '~/lib/time'
import { text } from '../../setting-fields'
import type { ProviderHost, ProviderSettings } from '../definition'
import type { ServiceConfig } from '../io'
import {
  flag,
  hostOnly,
  inMs,
  matching,
  orders,
  serviceConfig,
  serviceSettings,
  time,
  tokenProblems,
  url,
} from '../service-settings'
import { hostOfLocation } from './account'
import { secretScope } from './secrets.server'

export type VertexVeoConfig = ServiceConfig & {
  project: string
  location: string
  /** The bucket for clips. A lost order is found by its folder there. */
  bucket: string
  /** The parent folder of the attempts' folders in the bucket. Ends in `/`, or is empty. */
  prefix: string
  storageUrl: string
  tokenUrl: string
  generateAudio: boolean
  /** Passed on unchanged, because Google's guides disagree about the values. */
  personGeneration?: string | undefined
  /** The project for billing and quota of user credentials, sent as `X-Goog-User-Project`. */
  quotaProject?: string | undefined
}

const schema = serviceSettings.extend({
  VERTEX_PROJECT: matching(/^[a-z0-9.:-]{1,63}$/, 'a Google project id'),
  VERTEX_LOCATION: matching(/^[a-z0-9-]{2,40}$/, 'a location such as us-central1'),
  VERTEX_BUCKET: matching(/^[a-z0-9][a-z0-9._-]{2,221}$/, 'a bucket, without gs://'),
  VERTEX_PREFIX: matching(/^[\w./-]{0,200}$/, 'a folder in the bucket, such as veo/'),
  VERTEX_STORAGE_URL: url,
  VERTEX_TOKEN_URL: url,
  VERTEX_GENERATE_AUDIO: flag,
  VERTEX_PERSON_GENERATION: text,
  VERTEX_QUOTA_PROJECT: text,
  VERTEX_SUBMITS_PER_MINUTE: orders,
  VERTEX_MAX_IN_FLIGHT: orders,
  VERTEX_DEADLINE_SECONDS: time,
  VERTEX_EXPECTED_SECONDS: time,
})
type Values = z.output<typeof schema>

export const settings: ProviderSettings<Values, VertexVeoConfig> = {
  prefix: 'VERTEX_',
  schema,
  problems: (values) => [
    ...hostOnly(values, 'vertex-veo'),
    ...missing(values),
    ...tokenProblems(values, (token) => tokenProblem(values, token)),
  ],
  configOf,
}

const NO_BUCKET =
  'VERTEX_BUCKET is required for vertex-veo: an order whose response was lost is found by its folder there. Make one with: gcloud storage buckets create gs://my-bucket --location=us-central1 (docs/providers.md)'

function missing(values: Values): string[] {
  return [
    ...(values.VERTEX_PROJECT === undefined ? ['VERTEX_PROJECT is required for vertex-veo'] : []),
    ...(values.VERTEX_BUCKET === undefined ? [NO_BUCKET] : []),
  ]
}

function tokenProblem(
  { VERTEX_PROJECT: project = '', VERTEX_LOCATION: location = '' }: Values,
  token: string,
): string | null {
  const scope = secretScope({ project, location }, token)
  return scope.ok ? null : scope.problem
}

/** The requests per minute that Google accepts per model, project and region. */
const PER_MINUTE = 50

function configOf(values: Values, host: ProviderHost): VertexVeoConfig {
  const location = values.VERTEX_LOCATION ?? 'us-central1'
  const baseUrl = hostOfLocation(location)
  const also = [values.VERTEX_STORAGE_URL, values.VERTEX_TOKEN_URL]
  const service = serviceConfig(values, { baseUrl, model: 'veo-3.1-generate-001', also }, host)
  const usualMs = /-(fast|lite)-/.test(service.model) ? seconds(75) : seconds(150)
  return {
    ...service,
    submitsPerMinute: values.VERTEX_SUBMITS_PER_MINUTE ?? PER_MINUTE,
    maxInFlight: values.VERTEX_MAX_IN_FLIGHT,
    project: values.VERTEX_PROJECT ?? '',
    location,
    bucket: values.VERTEX_BUCKET ?? '',
    prefix: folder(values.VERTEX_PREFIX ?? 'veo/'),
    storageUrl: values.VERTEX_STORAGE_URL ?? 'https://storage.googleapis.com',
    tokenUrl: values.VERTEX_TOKEN_URL ?? 'https://oauth2.googleapis.com/token',
    generateAudio: values.VERTEX_GENERATE_AUDIO !== 'false',
    personGeneration: values.VERTEX_PERSON_GENERATION,
    quotaProject: values.VERTEX_QUOTA_PROJECT,
    deadlineMs: inMs(values.VERTEX_DEADLINE_SECONDS, minutes(20)),
    expectedMs: inMs(values.VERTEX_EXPECTED_SECONDS, usualMs),
  }
}

function folder(prefix: string): string {
  const path = prefix.replace(/^\/+|(?<!\/)\/+$/g, '')
  return path === '' ? '' : `${path}/`
}
