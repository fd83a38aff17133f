import { createHash } from 'node:crypto'
import { eitherOf } from '~/lib/text'
import { text } from '../setting-fields'
import type { Settings } from '../settings'
import type { OpenProvider, ProviderHost } from './definition'
import { PROVIDERS } from './registry.server'

/** The selected provider, as the settings describe it. */
export type SelectedProvider = {
  /** Creates its adapter, which connects on first use. */
  create(host: ProviderHost): OpenProvider
  /** A digest of the providers' settings without the token, by which a change is noticed. */
  digest: string
}

export type ProviderEnv = {
  provider: SelectedProvider
  /** The platform's default token. */
  VIDEO_PROVIDER_TOKEN: string | undefined
}

export type ProviderEnvResult = { ok: true; env: ProviderEnv } | { ok: false; problems: string[] }

const TOKEN = 'VIDEO_PROVIDER_TOKEN'

/** All names that the providers read. */
export const providerSettingNames: readonly string[] = [
  ...new Set(['VIDEO_PROVIDER', TOKEN, ...PROVIDERS.flatMap(({ settingNames }) => settingNames)]),
]

/**
 * Reads the provider settings. Returns the selected provider, or a list of all problems in words.
 * Values are checked for all providers, combinations for the selected one.
 */
export function readProviderEnv(source: Settings): ProviderEnvResult {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
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
  }
  return { ok: true, env: { provider, VIDEO_PROVIDER_TOKEN: text.parse(given[TOKEN]) } }
}

function digestOf(values: ReadonlyMap<string, unknown>): string {
  const names = providerSettingNames.filter((name) => name !== TOKEN)
  const settings = [...names].sort().map((name) => [name, values.get(name) ?? null])
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex')
}
