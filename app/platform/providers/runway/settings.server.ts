import type { z } from 'zod'
import { minutes, seconds } from '~/lib/time'
import { oneOf } from '../../setting-fields'
import type { ProviderSettings } from '../definition'
import { bearerProblem } from '../http/scope'
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
} from '../service-settings'

export type RunwayConfig = ServiceConfig & {
  /** The API version, as a date. */
  version: string
  /** Whether clips have sound. Affects the price. */
  audio: boolean
  /** What to do after a lost response: orders cannot be looked up here. */
  ambiguous: 'fail' | 'resubmit'
}

const schema = serviceSettings.extend({
  RUNWAY_VERSION: matching(/^\d{4}-\d{2}-\d{2}$/, 'a date such as 2024-11-06'),
  RUNWAY_AUDIO: flag,
  RUNWAY_AMBIGUOUS: oneOf('fail', 'resubmit').optional(),
  RUNWAY_SUBMITS_PER_MINUTE: orders,
  RUNWAY_MAX_IN_FLIGHT: orders,
  RUNWAY_DEADLINE_SECONDS: time,
  RUNWAY_EXPECTED_SECONDS: time,
})

export const settings: ProviderSettings<z.output<typeof schema>, RunwayConfig> = {
  prefix: 'RUNWAY_',
  schema,
  problems: (values) => [...hostOnly(values, 'runway'), ...tokenProblems(values, bearerProblem)],
  configOf: (values, host) => ({
    ...serviceConfig(values, { baseUrl: 'https://api.dev.runwayml.com', model: 'veo3.1' }, host),
    submitsPerMinute: values.RUNWAY_SUBMITS_PER_MINUTE,
    maxInFlight: values.RUNWAY_MAX_IN_FLIGHT,
    version: values.RUNWAY_VERSION ?? '2024-11-06',
    audio: values.RUNWAY_AUDIO !== 'false',
    ambiguous: values.RUNWAY_AMBIGUOUS ?? 'fail',
    deadlineMs: inMs(values.RUNWAY_DEADLINE_SECONDS, minutes(20)),
    expectedMs: inMs(values.RUNWAY_EXPECTED_SECONDS, seconds(150)),
  }),
}
