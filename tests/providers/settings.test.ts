import fs from 'node:fs'
import { expect, test } from 'vitest'
import { readEnv } from '../../app/platform/env.server'
import { providerSettingNames, readProviderEnv } from '../../app/platform/providers/settings.server'
import { FLAVOURS } from '../simulator/settings'
import { startSimulator } from '../simulator/simulator'
import { testEnv } from '../support/processes'

const BASE = testEnv('postgres://localhost/x', '/tmp/x')

function problems(env: Record<string, string>): string[] {
  const read = readEnv({ ...BASE, ...env })
  return read.ok ? [] : read.problems
}

test('settings: all problems are reported together, in words', () => {
  expect(
    problems({
      VIDEO_PROVIDER: 'vertex-veo',
      VIDEO_PROVIDER_URL: 'aiplatform.googleapis.com',
      VIDEO_PROVIDER_ASSET_HOSTS: 'https://cdn.example.com',
      VIDEO_PROVIDER_TIME_SCALE: '0',
      VIDEO_PROVIDER_TOKEN: 'AIzaSyA-0123456789',
      VERTEX_SUBMIT_PER_MINUTE: '50',
      VERTEX_GENERATE_AUDIO: 'no',
      VERTEX_PREFIX: 'veo/',
      LOG_LEVEL: 'loud',
    }).sort(),
  ).toEqual([
    'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
    expect.stringMatching(
      /^VERTEX_BUCKET is required for vertex-veo: .* gcloud storage buckets create/,
    ),
    'VERTEX_GENERATE_AUDIO must be true or false',
    'VERTEX_PROJECT is required for vertex-veo',
    'VERTEX_SUBMIT_PER_MINUTE is not a setting; look for its right name in .env.example',
    'VIDEO_PROVIDER_ASSET_HOSTS must be hosts such as cdn.example.com or localhost:8080, with commas between them',
    'VIDEO_PROVIDER_TIME_SCALE must be a number greater than 0',
    'VIDEO_PROVIDER_TOKEN cannot be used: Vertex AI takes no API keys: paste an access token or a service-account key.',
    'VIDEO_PROVIDER_URL must be an address that starts with https:// or http://',
  ])
})

test('settings: the requirements of each provider', () => {
  expect(problems({ VIDEO_PROVIDER: 'sora' })).toEqual([
    'VIDEO_PROVIDER must be local, vertex-veo, openai-videos, runway, tasks or comfyui',
  ])
  expect(problems({ VIDEO_PROVIDER: 'openai-videos' })).toEqual([
    'VIDEO_PROVIDER_URL is required for openai-videos',
    'VIDEO_PROVIDER_MODEL is required for openai-videos',
  ])
  expect(
    problems({
      VIDEO_PROVIDER: 'openai-videos',
      VIDEO_PROVIDER_URL: 'http://localhost:30010',
      VIDEO_PROVIDER_MODEL: 'wan',
      OPENAI_VIDEOS_DIALECT: 'sglang',
      OPENAI_VIDEOS_BODY: 'multipart',
      OPENAI_VIDEOS_AMBIGUOUS: 'list',
      OPENAI_VIDEOS_EXTRA: '[1]',
      OPENAI_VIDEOS_SECONDS: '4;8',
    }),
  ).toEqual([
    'OPENAI_VIDEOS_SECONDS must be clip lengths in seconds, such as 4,8,12',
    'OPENAI_VIDEOS_EXTRA must be a JSON object, such as {"guidance_scale": 5}',
    'VIDEO_PROVIDER_URL must end in /v1 for openai-videos',
    'OPENAI_VIDEOS_BODY must be json for sglang',
    'OPENAI_VIDEOS_AMBIGUOUS cannot be list for sglang: its list does not say which prompt an order has',
  ])
  expect(
    problems({
      VIDEO_PROVIDER: 'runway',
      VIDEO_PROVIDER_URL: 'https://x.test/v1',
      RUNWAY_VERSION: '1',
    }),
  ).toEqual([
    'RUNWAY_VERSION must be a date such as 2024-11-06',
    'VIDEO_PROVIDER_URL must be the host alone, without a path, for runway',
  ])
  expect(problems({ VIDEO_PROVIDER: 'runway', VIDEO_PROVIDER_TOKEN: 'Bearer key_123' })).toEqual([
    'VIDEO_PROVIDER_TOKEN cannot be used: Paste the token alone, without the word Bearer.',
  ])
})

test('settings: each problem of a profile of tasks says what to do', () => {
  const tasks = (env: Record<string, string>) => problems({ VIDEO_PROVIDER: 'tasks', ...env })
  expect(tasks({})).toEqual([
    expect.stringMatching(/^TASKS_PROFILE is required for tasks: name the service, one of gen/),
  ])
  expect(tasks({ TASKS_PROFILE: 'sora' })).toEqual([
    expect.stringMatching(/^TASKS_PROFILE must be /),
  ])
  const given = { TASKS_PROFILE: 'generations' }
  expect(tasks({ ...given, VIDEO_PROVIDER_URL: 'https://x.test', TASKS_MODELS: 'm' })).toEqual([
    'TASKS_MODELS is not a setting; look for its right name in .env.example',
    'VIDEO_PROVIDER_URL is not used by tasks: set TASKS_URL in its place',
    'TASKS_MODEL is required for generations: set it to the id of a model of the service',
    'TASKS_URL is required for generations: set it to the address of the service',
  ])
  expect(
    tasks({
      ...given,
      TASKS_URL: 'https://x.test/v1',
      TASKS_MODEL: 'm',
      TASKS_SOUND: 'true',
      TASKS_PICTURE_MODEL: 'm',
      TASKS_AMBIGUOUS: 'resubmit',
    }),
  ).toEqual([
    'TASKS_PICTURE_MODEL does not apply to generations: remove it, no pictures are sent',
    'TASKS_URL must end before /v1 or /v2: the profile adds the rest of the address',
    "TASKS_SOUND does not apply to generations: name the model's own field in TASKS_EXTRA",
  ])
  expect(tasks({ ...given, TASKS_URL: 'x.test', TASKS_MODEL: 'm' })).toContain(
    'TASKS_URL must be an address that starts with https:// or http://',
  )
})

test('settings: local and runway need only the provider’s name', () => {
  expect(problems({})).toEqual([])
  expect(problems({ VIDEO_PROVIDER: 'runway' })).toEqual([])
  // Settings of other providers are ignored.
  expect(problems({ VERTEX_SOMETHING: 'x', RUNWAY_MODE: 'y' })).toEqual([])
})

test('issue 52.3: settings: further providers have their names before their settings', () => {
  const given = {
    VIDEO_PROVIDER: 'runway',
    MORE_VIDEO_PROVIDERS: 'fal, old',
    FAL_VIDEO_PROVIDER: 'tasks',
    FAL_TASKS_PROFILE: 'fal',
    FAL_TASKS_MODEL: 'fal-ai/kling-video/v3/standard/text-to-video',
    OLD_VIDEO_PROVIDER: 'openai-videos',
    OLD_VIDEO_PROVIDER_URL: 'https://gateway.example.com/v1',
    OLD_VIDEO_PROVIDER_MODEL: 'm',
    OLD_VIDEO_PROVIDER_TOKEN: 'one-token',
  }
  const read = readProviderEnv(given)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const { provider, others } = read.env
  expect(others.map(({ token }) => token)).toEqual([undefined, 'one-token'])
  expect(new Set([provider, ...others].map(({ digest }) => digest)).size).toBe(3)
  const host = { now: Date.now, note: () => undefined, timeScale: 1, dataDir: '/x', buildDir: '/x' }
  expect(others.map(({ create }) => create(host))).toMatchObject([
    { kind: 'fal', adapter: 'tasks:fal' },
    { kind: 'old', adapter: 'openai-videos', model: 'm' },
  ])
})

test('issue 52.3: settings: what is wrong with a further provider is said with its name', () => {
  const named = (names: string, rest = {}) =>
    problems({ VIDEO_PROVIDER: 'runway', MORE_VIDEO_PROVIDERS: names, ...rest })
  expect(named('fal')).toEqual(['FAL_VIDEO_PROVIDER has to name a service'])
  expect(named('own', { OWN_VIDEO_PROVIDER: 'local' })).toEqual([
    'OWN_VIDEO_PROVIDER has to name a service',
  ])
  expect(named('fal', { FAL_VIDEO_PROVIDER: 'tasks' })).toEqual([
    expect.stringMatching(/^FAL_TASKS_PROFILE /),
  ])
  expect(named('Fal')[0]).toMatch(/^MORE_VIDEO_PROVIDERS has "Fal": a name has 2 to 20/)
  expect(named('fal,fal', { FAL_VIDEO_PROVIDER: 'runway' })).toHaveLength(1)
  expect(named('runway')[0]).toMatch(/^MORE_VIDEO_PROVIDERS has "runway"/)
  // As the first one, the preview renderer stores its orders under its own name.
  expect(named('local', { LOCAL_VIDEO_PROVIDER: 'runway' })).toHaveLength(1)
})

test('issue 52.5: settings: a further provider may have a clip length of its own, and says what its clips are like', () => {
  const given = {
    VIDEO_PROVIDER: 'runway',
    RUNWAY_AUDIO: 'false',
    MORE_VIDEO_PROVIDERS: 'mini, big',
    MINI_VIDEO_PROVIDER: 'tasks',
    MINI_TASKS_PROFILE: 'minimax',
    MINI_TASKS_MODEL: 'MiniMax-Hailuo-02',
    MINI_VIDEO_DURATION_SECONDS: '6',
    BIG_VIDEO_PROVIDER: 'openai-videos',
    BIG_VIDEO_PROVIDER_URL: 'https://gateway.example.com/v1',
    BIG_VIDEO_PROVIDER_MODEL: 'm',
    BIG_OPENAI_VIDEOS_SIZE_PORTRAIT: '1080x1920',
    BIG_OPENAI_VIDEOS_SIZE_LANDSCAPE: '1920x1080',
  }
  const read = readProviderEnv(given)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const { provider, others } = read.env
  const host = { now: Date.now, note: () => undefined, timeScale: 1, dataDir: '/x', buildDir: '/x' }
  const opened = [provider, ...others].map(({ create }) => create(host))
  expect(opened.map(({ clipSeconds, can }) => [clipSeconds, can.clip])).toMatchObject([
    [undefined, { isSilent: true }],
    [6, { resolution: '768p', isSilent: false }],
    [undefined, { resolution: '1080p' }],
  ])
  expect(problems({ ...given, MINI_VIDEO_DURATION_SECONDS: '0' })).toEqual([
    'MINI_VIDEO_DURATION_SECONDS must be a whole number from 1 to 60',
  ])
})

test('settings: .env.example names all of them', () => {
  const example = fs.readFileSync('.env.example', 'utf8')
  const storage = ['ENDPOINT', 'BUCKET', 'REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY']
  const names = [...providerSettingNames, ...storage.map((name) => `S3_${name}`)]
  const missing = names.filter((name) => !new RegExp(`^#?${name}=`, 'm').test(example))
  expect(missing).toEqual([])
})

test('settings: those that the simulator prints are valid', async () => {
  const sim = await startSimulator()
  for (const flavour of FLAVOURS) {
    expect(problems(sim.env(flavour)), flavour).toEqual([])
  }
  await sim.stop()
})
