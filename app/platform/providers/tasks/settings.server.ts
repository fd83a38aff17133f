import type { z } from 'zod'
import { minutes, seconds } from '~/lib/time'
import { oneOf, text } from '../../setting-fields'
import type { ProviderHost, ProviderSettings } from '../definition'
import { bearerProblem } from '../http/scope'
import type { ServiceConfig } from '../io'
import {
  clipLengths,
  flag,
  inMs,
  jsonObject,
  orders,
  serviceConfig,
  serviceSettings,
  time,
  tokenProblems,
  url,
} from '../service-settings'
import type { Profile } from './profile'
import { PROFILE_NAMES, PROFILES, type ProfileName } from './profiles'

export type TasksConfig = ServiceConfig & {
  name: ProfileName
  profile: Profile
  /** The model of orders with a picture. Null: they have none. */
  pictureModel: string | null
  seconds: readonly [number, ...number[]]
  sound: boolean | undefined
  /** Whether a lost order that cannot be found is ordered again at once. */
  ordersAgain: boolean
  /** Additional fields of every order, as the service names them. Null removes one. */
  extra: Readonly<Record<string, unknown>>
}

const schema = serviceSettings.extend({
  TASKS_PROFILE: oneOf(...PROFILE_NAMES).optional(),
  TASKS_URL: url,
  TASKS_MODEL: text,
  TASKS_PICTURE_MODEL: text,
  TASKS_SECONDS: clipLengths,
  TASKS_SOUND: flag,
  TASKS_EXTRA: jsonObject,
  TASKS_AMBIGUOUS: oneOf('fail', 'resubmit').optional(),
  TASKS_MAX_IN_FLIGHT: orders,
  TASKS_DEADLINE_SECONDS: time,
})
type Values = z.output<typeof schema>

export const settings: ProviderSettings<Values, TasksConfig> = {
  prefix: 'TASKS_',
  schema,
  problems: (values) => [...profileProblems(values), ...tokenProblems(values, bearerProblem)],
  configOf,
}

function profileProblems(values: Values): string[] {
  const { TASKS_PROFILE: name, TASKS_URL: address } = values
  const elsewhere = (['URL', 'MODEL'] as const)
    .filter((what) => values[`VIDEO_PROVIDER_${what}`] !== undefined)
    .map((what) => `VIDEO_PROVIDER_${what} is not used by tasks: set TASKS_${what} in its place`)
  if (name === undefined) {
    const names = PROFILE_NAMES.join(', ')
    return [`TASKS_PROFILE is required for tasks: name the service, one of ${names}`, ...elsewhere]
  }
  const profile = PROFILES[name]
  const problems = [...elsewhere, ...modelProblems(values, profile, name)]
  if (address === undefined && profile.url === undefined) {
    problems.push(`TASKS_URL is required for ${name}: set it to the address of the service`)
  }
  if (address !== undefined && /\/v\d+(\/|$)/.test(new URL(address).pathname)) {
    problems.push('TASKS_URL must end before /v1 or /v2: the profile adds the rest of the address')
  }
  if (values.TASKS_SOUND !== undefined && !profile.hasSound) {
    problems.push(
      `TASKS_SOUND does not apply to ${name}: name the model's own field in TASKS_EXTRA`,
    )
  }
  if (values.TASKS_AMBIGUOUS !== undefined && profile.find !== null) {
    problems.push(`TASKS_AMBIGUOUS does not apply to ${name}: remove it, lost orders are looked up`)
  }
  return problems
}

function modelProblems(values: Values, profile: Profile, name: ProfileName): string[] {
  const { TASKS_MODEL: model, TASKS_PICTURE_MODEL: pictureModel } = values
  const { modelForm, pictures } = profile
  const problems: string[] = []
  if (model === undefined) {
    problems.push(`TASKS_MODEL is required for ${name}: set it to the id of a model of the service`)
  }
  for (const [setting, id] of Object.entries({
    TASKS_MODEL: model,
    TASKS_PICTURE_MODEL: pictureModel,
  })) {
    if (id === undefined || modelForm === undefined || modelForm.form.test(id)) continue
    problems.push(`${setting} must be an id such as ${modelForm.example} for ${name}`)
  }
  if (pictureModel !== undefined && pictures === 'none') {
    problems.push(`TASKS_PICTURE_MODEL does not apply to ${name}: remove it, no pictures are sent`)
  }
  return problems
}

function configOf(values: Values, host: ProviderHost): TasksConfig {
  const name = values.TASKS_PROFILE ?? PROFILE_NAMES[0]
  const profile = PROFILES[name]
  const model = values.TASKS_MODEL ?? ''
  const own = { VIDEO_PROVIDER_URL: values.TASKS_URL, VIDEO_PROVIDER_MODEL: model }
  const pictureModel =
    values.TASKS_PICTURE_MODEL ?? (profile.pictures === 'same-model' ? model : null)
  const [shortest = profile.seconds[0], ...longer] = values.TASKS_SECONDS ?? [...profile.seconds]
  return {
    ...serviceConfig({ ...values, ...own }, { baseUrl: profile.url ?? '', model }, host),
    name,
    profile,
    pictureModel,
    seconds: [shortest, ...longer],
    sound: values.TASKS_SOUND === undefined ? undefined : values.TASKS_SOUND === 'true',
    ordersAgain: values.TASKS_AMBIGUOUS === 'resubmit',
    extra: values.TASKS_EXTRA ?? {},
    maxInFlight: values.TASKS_MAX_IN_FLIGHT,
    deadlineMs: inMs(values.TASKS_DEADLINE_SECONDS, minutes(20)),
    expectedMs: seconds(150),
  }
}
