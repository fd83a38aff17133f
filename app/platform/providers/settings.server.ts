import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { problemsIn } from '../setting-fields'
import type { Settings } from '../settings'
import { providerFields, providerShape, type ProviderEnv } from './fields'
import { providerProblems } from './problems.server'

export type ProviderEnvResult = { ok: true; env: ProviderEnv } | { ok: false; problems: string[] }

const PREFIXES = {
  'vertex-veo': 'VERTEX_',
  'openai-videos': 'OPENAI_VIDEOS_',
  runway: 'RUNWAY_',
  local: null,
}

/** Reads the provider settings. Returns them, or a list of all problems in words. */
export function readProviderEnv(source: Settings): ProviderEnvResult {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const result = providerShape.safeParse(given)
  if (result.success) {
    const problems = [...unknownNames(given, result.data), ...providerProblems(result.data)]
    return problems.length === 0 ? { ok: true, env: result.data } : { ok: false, problems }
  }
  const rest = restProblems(given, result.error.issues.map(nameOf))
  return { ok: false, problems: [...problemsIn(result.error), ...rest] }
}

/** Returns a digest of the provider's settings without its token, by which a change is noticed. */
export function providerDigest(env: ProviderEnv): string {
  const names = Object.keys(providerFields).filter((name) => name !== 'VIDEO_PROVIDER_TOKEN')
  const given = new Map<string, unknown>(Object.entries(env))
  const settings = names.sort().map((name) => [name, given.get(name) ?? null])
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex')
}

const nameOf = ({ path: [name] }: z.ZodIssue): string => String(name)

/** Returns the problems of the readable settings, so that all problems can be reported together. */
function restProblems(given: Settings, bad: readonly string[]): string[] {
  const readable = Object.fromEntries(Object.entries(given).filter(([name]) => !bad.includes(name)))
  const rest = providerShape.safeParse(readable)
  // Without the provider's name its settings cannot be checked.
  if (!rest.success || bad.includes('VIDEO_PROVIDER')) return []
  const problems = [...unknownNames(readable, rest.data), ...providerProblems(rest.data)]
  return problems.filter(
    (problem) => !bad.some((name) => problem.startsWith(`${name} is required`)),
  )
}

/**
 * Returns misspelt settings of the selected provider: an unknown limit would otherwise have no
 * effect.
 */
function unknownNames(given: Settings, { VIDEO_PROVIDER }: ProviderEnv): string[] {
  const prefix = PREFIXES[VIDEO_PROVIDER]
  if (prefix === null) return []
  return Object.keys(given)
    .filter((name) => name.startsWith(prefix) && !(name in providerFields))
    .map((name) => `${name} is not a setting; look for its right name in .env.example`)
}
