import { z } from 'zod'
import { seconds } from '~/lib/time'
import { address, hosts, oneOf, text, whole } from '../setting-fields'
import type { ServiceConfig } from './io'

// What the settings of remote services have in common.

/** An address without a trailing slash. */
export const url = address('https:', 'http:')
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
  .optional()

/** A text of a form that `words` describe. */
export const matching = (form: RegExp, words: string) =>
  z.string().trim().regex(form, `must be ${words}`).optional()

export const flag = oneOf('true', 'false').optional()
/** Returns the resolution of a size: 1080p of 1080x1920. */
export const resolutionOf = (size: string): string => `${Math.min(...size.split('x').map(Number))}p`

/** A number of orders. */
export const orders = whole({ min: 1, max: 100_000 }).optional()
/** A time in seconds, at most a day. */
export const time = whole({ min: 1, max: 86_400 }).optional()

/** The clip lengths that a model supports. */
export const clipLengths = z
  .string()
  .regex(/^\s*\d{1,2}(\s*,\s*\d{1,2})*\s*$/, 'must be clip lengths in seconds, such as 4,8,12')
  .transform((value) => value.split(',').map(Number))
  .refine(
    (lengths) => lengths.every((length) => length >= 1 && length <= 60),
    'must be between 1 and 60 seconds each',
  )
  .optional()

/** Fields of an order, as the service names them. */
export const jsonObject = z
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

/** The settings of every remote service. A service extends them by its own. */
export const serviceSettings = z.object({
  VIDEO_PROVIDER_TOKEN: text,
  VIDEO_PROVIDER_URL: url,
  VIDEO_PROVIDER_MODEL: text,
  VIDEO_PROVIDER_ASSET_HOSTS: hosts,
})
type ServiceValues = z.output<typeof serviceSettings>

/** `also`: other addresses of this provider that the operator may have configured. */
type Defaults = { baseUrl: string; model: string; also?: readonly (string | undefined)[] }

/** Returns the part of a service's configuration that all services have in common. */
export function serviceConfig(
  values: ServiceValues,
  { baseUrl, model, also = [] }: Defaults,
  { timeScale }: { timeScale: number },
): Pick<ServiceConfig, 'baseUrl' | 'model' | 'trustedHosts' | 'timeScale'> {
  const named = [values.VIDEO_PROVIDER_URL, ...also].flatMap((given) =>
    given === undefined ? [] : [new URL(given).host],
  )
  return {
    baseUrl: values.VIDEO_PROVIDER_URL ?? baseUrl,
    model: values.VIDEO_PROVIDER_MODEL ?? model,
    trustedHosts: [...named, ...values.VIDEO_PROVIDER_ASSET_HOSTS],
    timeScale,
  }
}

/** Returns a time in milliseconds that may be set in seconds. */
export const inMs = (given: number | undefined, fallbackMs: number): number =>
  given === undefined ? fallbackMs : seconds(given)

/**
 * Checks the form of the default token, because a malformed one would keep every worker from
 * starting. `problemOf` returns what is wrong with a token, in words.
 */
export function tokenProblems(
  { VIDEO_PROVIDER_TOKEN: token }: ServiceValues,
  problemOf: (token: string) => string | null,
): string[] {
  const problem = token === undefined ? null : problemOf(token)
  return problem === null ? [] : [`VIDEO_PROVIDER_TOKEN cannot be used: ${problem}`]
}

/** Reports an address with a path, for a service whose adapter knows the paths. */
export function hostOnly({ VIDEO_PROVIDER_URL: given }: ServiceValues, provider: string): string[] {
  if (given === undefined || new URL(given).pathname === '/') return []
  return [`VIDEO_PROVIDER_URL must be the host alone, without a path, for ${provider}`]
}
