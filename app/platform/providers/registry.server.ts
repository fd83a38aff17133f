import { minutes, seconds } from '~/lib/time'
import type { ProviderIo, ServiceConfig } from './io'
import { localProvider, type LocalConfig } from './local/adapter.server'
import { openAiVideosProvider } from './openai-videos/adapter.server'
import { DIALECTS, type OpenAiVideosConfig } from './openai-videos/config'
import type { VideoProvider } from './port'
import { runwayProvider } from './runway/adapter.server'
import type { RunwayConfig } from './runway/config'
import { providerProblems } from './problems.server'
import type { ProviderEnv } from './fields'
import { vertexVeoProvider } from './vertex-veo/adapter.server'
import type { VertexVeoConfig } from './vertex-veo/config'
import { hostOfLocation } from './vertex-veo/requests'

export type RegistryEnv = ProviderEnv & { VIDEO_PROVIDER_TIME_SCALE: number }

export type RegistryIo = ProviderIo & {
  /** The folders and limits of the built-in renderer. */
  local: Pick<LocalConfig, 'ordersDir' | 'rendererEntry' | 'concurrency'>
}

/**
 * Creates the provider that the settings select. Connects on first use. `stop`, if present, closes
 * its connections and child processes. Throws if the settings contradict each other, which
 * `readProviderEnv` has reported before.
 */
export function createProvider(
  env: RegistryEnv,
  io: RegistryIo,
): VideoProvider & { stop?(): Promise<void> } {
  const problems = providerProblems(env)
  if (problems.length > 0) throw new Error(problems.join('; '))
  switch (env.VIDEO_PROVIDER) {
    case 'local':
      return localProvider({
        ...io.local,
        model: env.VIDEO_PROVIDER_MODEL ?? 'local-preview',
        timeScale: env.VIDEO_PROVIDER_TIME_SCALE,
      })
    case 'vertex-veo':
      return vertexVeoProvider(vertexConfig(env), io)
    case 'openai-videos':
      return openAiVideosProvider(openAiVideosConfig(env), io)
    case 'runway':
      return runwayProvider(runwayConfig(env), io)
  }
}

/** `also`: other addresses of this provider that the operator may have configured. */
type Defaults = { baseUrl: string; model: string; also?: readonly (string | undefined)[] }

function serviceConfig(
  env: RegistryEnv,
  { baseUrl, model, also = [] }: Defaults,
): Pick<ServiceConfig, 'baseUrl' | 'model' | 'trustedHosts' | 'timeScale'> {
  const named = [env.VIDEO_PROVIDER_URL, ...also].flatMap((url) =>
    url === undefined ? [] : [new URL(url).host],
  )
  return {
    baseUrl: env.VIDEO_PROVIDER_URL ?? baseUrl,
    model: env.VIDEO_PROVIDER_MODEL ?? model,
    trustedHosts: [...named, ...env.VIDEO_PROVIDER_ASSET_HOSTS],
    timeScale: env.VIDEO_PROVIDER_TIME_SCALE,
  }
}

const inMs = (given: number | undefined, fallbackMs: number): number =>
  given === undefined ? fallbackMs : seconds(given)

/** The requests per minute that Google accepts per model, project and region. */
const VERTEX_PER_MINUTE = 50

function vertexConfig(env: RegistryEnv): VertexVeoConfig {
  const location = env.VERTEX_LOCATION ?? 'us-central1'
  const baseUrl = hostOfLocation(location)
  const also = [env.VERTEX_STORAGE_URL, env.VERTEX_TOKEN_URL]
  const service = serviceConfig(env, { baseUrl, model: 'veo-3.1-generate-001', also })
  const usualMs = /-(fast|lite)-/.test(service.model) ? seconds(75) : seconds(150)
  return {
    ...service,
    submitsPerMinute: env.VERTEX_SUBMITS_PER_MINUTE ?? VERTEX_PER_MINUTE,
    maxInFlight: env.VERTEX_MAX_IN_FLIGHT,
    project: env.VERTEX_PROJECT ?? '',
    location,
    bucket: env.VERTEX_BUCKET,
    prefix: folder(env.VERTEX_PREFIX ?? 'veo/'),
    storageUrl: env.VERTEX_STORAGE_URL ?? 'https://storage.googleapis.com',
    tokenUrl: env.VERTEX_TOKEN_URL ?? 'https://oauth2.googleapis.com/token',
    generateAudio: env.VERTEX_GENERATE_AUDIO !== 'false',
    personGeneration: env.VERTEX_PERSON_GENERATION,
    quotaProject: env.VERTEX_QUOTA_PROJECT,
    ambiguous: env.VERTEX_AMBIGUOUS ?? 'fail',
    deadlineMs: inMs(env.VERTEX_DEADLINE_SECONDS, minutes(20)),
    expectedMs: inMs(env.VERTEX_EXPECTED_SECONDS, usualMs),
  }
}

function folder(prefix: string): string {
  const path = prefix.replace(/^\/+|(?<!\/)\/+$/g, '')
  return path === '' ? '' : `${path}/`
}

function openAiVideosConfig(env: RegistryEnv): OpenAiVideosConfig {
  const dialect = env.OPENAI_VIDEOS_DIALECT ?? 'openai'
  const traits = DIALECTS[dialect]
  const isOwn = traits.host === 'own'
  const [shortest = traits.seconds[0], ...longer] = env.OPENAI_VIDEOS_SECONDS ?? [...traits.seconds]
  const framesAt = env.OPENAI_VIDEOS_FRAMES_PER_SECOND ?? traits.framesAt ?? 0
  return {
    ...serviceConfig(env, { baseUrl: '', model: '' }),
    submitsPerMinute: env.OPENAI_VIDEOS_SUBMITS_PER_MINUTE,
    // A self-hosted server makes one clip at a time.
    maxInFlight: env.OPENAI_VIDEOS_MAX_IN_FLIGHT ?? (isOwn ? 1 : undefined),
    dialect,
    bodyEncoding: env.OPENAI_VIDEOS_BODY ?? traits.encodings[0],
    sizes: {
      portrait: env.OPENAI_VIDEOS_SIZE_PORTRAIT ?? '720x1280',
      landscape: env.OPENAI_VIDEOS_SIZE_LANDSCAPE ?? '1280x720',
    },
    seconds: [shortest, ...longer],
    framesAt: framesAt === 0 ? null : framesAt,
    negative: env.OPENAI_VIDEOS_NEGATIVE ?? traits.negative,
    ambiguous: env.OPENAI_VIDEOS_AMBIGUOUS ?? traits.ambiguous,
    extra: env.OPENAI_VIDEOS_EXTRA ?? {},
    deadlineMs: inMs(env.OPENAI_VIDEOS_DEADLINE_SECONDS, isOwn ? minutes(60) : minutes(20)),
    expectedMs: inMs(env.OPENAI_VIDEOS_EXPECTED_SECONDS, isOwn ? minutes(5) : minutes(3)),
  }
}

function runwayConfig(env: RegistryEnv): RunwayConfig {
  return {
    ...serviceConfig(env, { baseUrl: 'https://api.dev.runwayml.com', model: 'veo3.1' }),
    submitsPerMinute: env.RUNWAY_SUBMITS_PER_MINUTE,
    maxInFlight: env.RUNWAY_MAX_IN_FLIGHT,
    version: env.RUNWAY_VERSION ?? '2024-11-06',
    audio: env.RUNWAY_AUDIO !== 'false',
    ambiguous: env.RUNWAY_AMBIGUOUS ?? 'fail',
    deadlineMs: inMs(env.RUNWAY_DEADLINE_SECONDS, minutes(20)),
    expectedMs: inMs(env.RUNWAY_EXPECTED_SECONDS, seconds(150)),
  }
}
