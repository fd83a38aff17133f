import { createHash } from 'node:crypto'
import { z } from 'zod'
import { eitherOf } from '~/lib/text'
import { problemsIn, text, whole } from '../setting-fields'
import type { Settings } from '../settings'
import type { OpenProvider, ProviderHost } from './definition'
import { PROVIDERS } from './registry.server'

/** A provider, as the settings describe it. */
export type SelectedProvider = {
  /** Creates its adapter, which connects on first use. */
  create(host: ProviderHost): OpenProvider
  /** A digest of its settings without the token, by which a change is noticed. */
  digest: string
  /** The platform's default token. */
  token: string | undefined
}

export type ProviderEnv = {
  /** The one that VIDEO_PROVIDER selects. */
  provider: SelectedProvider
  /** Those of MORE_VIDEO_PROVIDERS. */
  others: SelectedProvider[]
}

export type ProviderEnvResult = { ok: true; env: ProviderEnv } | { ok: false; problems: string[] }

const TOKEN = 'VIDEO_PROVIDER_TOKEN'
const MORE = 'MORE_VIDEO_PROVIDERS'

/** The names of the settings that describe one provider. */
const namesOfOne: readonly string[] = [
  ...new Set(['VIDEO_PROVIDER', TOKEN, ...PROVIDERS.flatMap(({ settingNames }) => settingNames)]),
]

/** All names that the providers read. */
export const providerSettingNames: readonly string[] = [...namesOfOne, MORE]

/**
 * Reads the provider settings. Returns the providers, or a list of all problems in words. The settings
 * of a provider of MORE_VIDEO_PROVIDERS have its name before theirs: FAL_VIDEO_PROVIDER.
 */
export function readProviderEnv(source: Settings): ProviderEnvResult {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const names = namesIn(given[MORE])
  const first = readOne(given)
  const others = names.map((name) => readNamed(given, name))
  const problems = [
    ...problemsOf(first),
    ...problemsWithNames(names),
    ...others.flatMap(problemsOf),
  ]
  const found = [first, ...others].flatMap((one) => (one.ok ? [one.provider] : []))
  const [provider] = found
  if (problems.length > 0 || provider === undefined) return { ok: false, problems }
  return { ok: true, env: { provider, others: found.slice(1) } }
}

/** What a further provider has of its own beside the settings of its adapter. */
const ownSettings = z.object({ VIDEO_DURATION_SECONDS: whole({ min: 1, max: 60 }).optional() })

type One = { ok: true; provider: SelectedProvider } | { ok: false; problems: string[] }

const problemsOf = (one: One): string[] => (one.ok ? [] : one.problems)

const namesIn = (list: string | undefined): string[] =>
  (list ?? '').split(',').flatMap((name) => name.trim() || [])

/**
 * Names stand before settings, so a name may not be the beginning of other settings. Orders are stored under
 * them, as those of the first provider are under its adapter's name, so none may be that either.
 */
function problemsWithNames(names: readonly string[]): string[] {
  const reserved: (string | undefined)[] = [
    'first',
    ...PROVIDERS.map(({ name }) => name),
    ...namesOfOne.map((name) => name.split('_')[0]?.toLowerCase()),
  ]
  return names
    .filter(
      (name, i) =>
        !/^[a-z][a-z0-9]{1,19}$/.test(name) || reserved.includes(name) || names.indexOf(name) !== i,
    )
    .map(
      (name) =>
        `${MORE} has "${name}": a name has 2 to 20 small letters and digits, stands there once, and is no beginning of another setting and no value of VIDEO_PROVIDER`,
    )
}

/** Reads the settings of a provider of MORE_VIDEO_PROVIDERS. Its orders are stored under its name. */
function readNamed(given: Settings, name: string): One {
  const prefix = `${name.toUpperCase()}_`
  const settings: Settings = Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  )
  if (settings.VIDEO_PROVIDER === undefined || settings.VIDEO_PROVIDER === 'local')
    return { ok: false, problems: [`${prefix}VIDEO_PROVIDER has to name a service`] }
  const one = readOne(settings)
  const own = ownSettings.safeParse(settings)
  const problems = [...problemsOf(one), ...(own.success ? [] : problemsIn(own.error))]
  if (!one.ok || problems.length > 0)
    return { ok: false, problems: problems.map((problem) => prefix + problem) }
  const { create } = one.provider
  const named = (host: ProviderHost): OpenProvider => {
    const provider = create(host)
    const clipSeconds = own.data?.VIDEO_DURATION_SECONDS
    return { ...provider, kind: name, adapter: provider.kind, clipSeconds }
  }
  return { ok: true, provider: { ...one.provider, create: named } }
}

/**
 * Reads the settings of one provider. Values are checked for all kinds of providers, combinations for the
 * selected one.
 */
function readOne(given: Settings): One {
  const selected = given.VIDEO_PROVIDER ?? 'local'
  const readings = PROVIDERS.map(({ name, read }) => ({ name, ...read(given) }))
  const chosen = readings.find(({ name }) => name === selected)
  const invalid = new Set(readings.flatMap((reading) => reading.invalid))
  if (chosen === undefined) {
    const names = PROVIDERS.map(({ name }) => name)
    return { ok: false, problems: [`VIDEO_PROVIDER must be ${eitherOf(names)}`, ...invalid] }
  }
  const problems = [...invalid, ...chosen.problems]
  if (problems.length > 0 || chosen.create === null) return { ok: false, problems }
  const values = new Map(readings.flatMap((reading) => reading.values))
  const provider = {
    create: chosen.create,
    digest: digestOf(values.set('VIDEO_PROVIDER', selected)),
    token: text.parse(given[TOKEN]),
  }
  return { ok: true, provider }
}

function digestOf(values: ReadonlyMap<string, unknown>): string {
  const names = namesOfOne.filter((name) => name !== TOKEN)
  const settings = [...names].sort().map((name) => [name, values.get(name) ?? null])
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex')
}
