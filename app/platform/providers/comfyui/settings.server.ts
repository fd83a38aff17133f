import path from 'node:path'
import type { z } from 'zod'
import { days, minutes } from '~/lib/time'
import { text, whole } from '../../setting-fields'
import type { ProviderSettings } from '../definition'
import { bearerProblem } from '../http/scope'
import type { ServiceConfig } from '../io'
import type { AspectRatio } from '../port'
import {
  clipLengths,
  inMs,
  matching,
  orders,
  serviceConfig,
  serviceSettings,
  time,
  tokenProblems,
} from '../service-settings'
import { readWorkflow, type Workflow, type WorkflowSetting } from './workflow.server'

type Size = { width: number; height: number }

export type ComfyUiConfig = ServiceConfig & {
  /** For a proxy in front of the server. ComfyUI itself knows no keys. */
  token: string | undefined
  workflow: Workflow
  /** For orders with a picture. Null: they have none. */
  pictureWorkflow: Workflow | null
  sizes: Readonly<Record<AspectRatio, Size>>
  seconds: readonly [number, ...number[]]
  framesPerSecond: number
  /** The files of the workflows as they are now, with what is wrong with them. */
  fileProblems(): string[]
  /** How long the server is assumed to keep its files. */
  clipsKeptMs: number
}

const schema = serviceSettings.extend({
  COMFYUI_WORKFLOW: text,
  COMFYUI_PICTURE_WORKFLOW: text,
  COMFYUI_SIZE: matching(/^\d{2,4}x\d{2,4}$/, 'a size such as 720x1280'),
  COMFYUI_SECONDS: clipLengths,
  COMFYUI_FRAMES_PER_SECOND: whole({ min: 1, max: 120 }).optional(),
  COMFYUI_MAX_IN_FLIGHT: orders,
  COMFYUI_DEADLINE_SECONDS: time,
})
type Values = z.output<typeof schema>

export const settings: ProviderSettings<Values, ComfyUiConfig> = {
  prefix: 'COMFYUI_',
  schema,
  problems: (values) => [
    ...addressProblems(values),
    ...readAll(values).flatMap(({ problems }) => problems),
    ...lengthProblems(values),
    ...tokenProblems(values, bearerProblem),
  ],
  configOf(values, { timeScale }) {
    const [width = 720, height = 1280] = (values.COMFYUI_SIZE ?? '720x1280').split('x').map(Number)
    const [shortest = 5, ...longer] = values.COMFYUI_SECONDS ?? [5]
    const model = path.basename(values.COMFYUI_WORKFLOW ?? 'comfyui', '.json')
    return {
      ...serviceConfig(values, { baseUrl: '', model }, { timeScale }),
      token: values.VIDEO_PROVIDER_TOKEN,
      workflow: workflowIn(values, 'COMFYUI_WORKFLOW') ?? { nodes: {}, has: new Set() },
      pictureWorkflow: workflowIn(values, 'COMFYUI_PICTURE_WORKFLOW'),
      sizes: { portrait: { width, height }, landscape: { width: height, height: width } },
      seconds: [shortest, ...longer],
      framesPerSecond: values.COMFYUI_FRAMES_PER_SECOND ?? 16,
      fileProblems: () => readAll(values).flatMap(({ problems }) => problems),
      clipsKeptMs: days(7),
      // One is made, and the next one waits at the server.
      maxInFlight: values.COMFYUI_MAX_IN_FLIGHT ?? 2,
      deadlineMs: inMs(values.COMFYUI_DEADLINE_SECONDS, minutes(60)),
      expectedMs: minutes(5),
    }
  },
}

const WORKFLOWS: readonly WorkflowSetting[] = ['COMFYUI_WORKFLOW', 'COMFYUI_PICTURE_WORKFLOW']

const readAll = (values: Values) =>
  WORKFLOWS.flatMap((setting) => {
    const file = values[setting]
    return file === undefined ? [] : [readWorkflow(setting, file)]
  })

function workflowIn(values: Values, setting: WorkflowSetting): Workflow | null {
  const file = values[setting]
  return file === undefined ? null : readWorkflow(setting, file).workflow
}

function addressProblems(values: Values): string[] {
  const problems: string[] = []
  if (values.VIDEO_PROVIDER_URL === undefined) {
    problems.push(
      'VIDEO_PROVIDER_URL is required for comfyui: set it to the address of the server, such as http://127.0.0.1:8188',
    )
  }
  if (values.VIDEO_PROVIDER_ASSET_HOSTS.length > 0) {
    problems.push(
      'VIDEO_PROVIDER_ASSET_HOSTS does not apply to comfyui: remove it, clips come from the server itself',
    )
  }
  if (values.COMFYUI_WORKFLOW === undefined) {
    problems.push(
      'COMFYUI_WORKFLOW is required for comfyui: name the file of a workflow that was exported for the API',
    )
  }
  return problems
}

/** A workflow without a placeholder for the length makes clips of one length, whatever is ordered. */
function lengthProblems(values: Values): string[] {
  if ((values.COMFYUI_SECONDS ?? []).length < 2) return []
  const isFixed = readAll(values).some(
    ({ workflow }) =>
      workflow !== null && !workflow.has.has('seconds') && !workflow.has.has('frames'),
  )
  return isFixed
    ? [
        'COMFYUI_SECONDS must be one length: a workflow has neither {{seconds}} nor {{frames}}, so all its clips have the same',
      ]
    : []
}
