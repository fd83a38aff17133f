import path from 'node:path'
import type { Simulation } from './simulation'
import { TEXT_MODEL } from './texts'
import { SERVICE_NAMES, type ServiceName } from './tasks-services'

const isService = (flavour: string): flavour is ServiceName =>
  SERVICE_NAMES.some((name) => name === flavour)

/** The protocols of the simulator. */
export const FLAVOURS = [
  'vertex-veo',
  'openai',
  'sglang',
  'vllm-omni',
  'fastvideo',
  'gateway',
  'runway',
  'comfyui',
  ...SERVICE_NAMES,
] as const
export type Flavour = (typeof FLAVOURS)[number]

const QUICK_SERVICES: readonly ServiceName[] = ['generations', 'fal']

/** Those for `npm test`. The profiles of one adapter differ little: the others run in the slow suite. */
export const QUICK_FLAVOURS: readonly Flavour[] = FLAVOURS.filter(
  (name) => !isService(name) || QUICK_SERVICES.includes(name),
)

/** The token that a simulated product uses by default. */
export const DEFAULT_TOKEN = 'sim-default-token'

/** Pauses between polls are a hundredth of those with a real provider. */
const COMMON = { VIDEO_PROVIDER_TOKEN: DEFAULT_TOKEN, VIDEO_PROVIDER_TIME_SCALE: '0.01' }

type Urls = Pick<Simulation, 'apiUrl' | 'filesUrl' | 'scenario'>

/** Returns the product's settings for one of the simulated providers. */
export function envFor(flavour: Flavour, simulation: Urls): Record<string, string> {
  switch (flavour) {
    case 'vertex-veo':
      return vertexEnv(simulation)
    case 'runway':
      return {
        ...COMMON,
        VIDEO_PROVIDER: 'runway',
        VIDEO_PROVIDER_URL: simulation.apiUrl,
        VIDEO_PROVIDER_ASSET_HOSTS: new URL(simulation.filesUrl).host,
      }
    case 'comfyui':
      return comfyUiEnv(simulation)
    default:
      return isService(flavour) ? tasksEnv(flavour, simulation) : openAiEnv(flavour, simulation)
  }
}

/** Returns the product's settings for the text service. */
export const textEnvFor = ({ apiUrl }: Pick<Urls, 'apiUrl'>): Record<string, string> => ({
  TEXT_SERVICE_URL: `${apiUrl}/texts/v1`,
  TEXT_SERVICE_KEY: 'sim-text-key-1234567890',
  TEXT_SERVICE_MODEL: TEXT_MODEL,
})

/** Returns a provider's settings as they stand for one of MORE_VIDEO_PROVIDERS with this name. */
export function namedEnvFor(
  name: string,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const named = Object.entries(env).map(([key, value]) => [`${name.toUpperCase()}_${key}`, value])
  return Object.fromEntries(named) as Record<string, string>
}

export const TASK_MODELS: Readonly<Record<ServiceName, string>> = {
  generations: 'veo3.1',
  'generations-v2': 'veo3.1',
  fal: 'fal-ai/veo3.1',
  replicate: 'google/veo-3.1',
  kling: 'kling-v3',
  ark: 'seedance-2-0',
  minimax: 'MiniMax-H3',
  'model-studio': 'wan2.7-t2v',
}

const tasksEnv = (name: ServiceName, { apiUrl, filesUrl }: Urls) => ({
  ...COMMON,
  VIDEO_PROVIDER: 'tasks',
  VIDEO_PROVIDER_ASSET_HOSTS: new URL(filesUrl).host,
  TASKS_PROFILE: name,
  TASKS_URL: `${apiUrl}/tasks/${name}`,
  TASKS_MODEL: TASK_MODELS[name],
  ...(name === 'fal' && { TASKS_PICTURE_MODEL: 'fal-ai/veo3.1/image-to-video' }),
})

const comfyUiEnv = ({ apiUrl }: Urls) => ({
  ...COMMON,
  VIDEO_PROVIDER: 'comfyui',
  VIDEO_PROVIDER_URL: `${apiUrl}/comfyui`,
  COMFYUI_WORKFLOW: path.join(import.meta.dirname, 'comfyui-workflow.json'),
  COMFYUI_PICTURE_WORKFLOW: path.join(import.meta.dirname, 'comfyui-picture-workflow.json'),
  COMFYUI_SECONDS: '4,8',
  COMFYUI_MAX_IN_FLIGHT: '1000',
})

const vertexEnv = ({ apiUrl, filesUrl }: Urls) => ({
  ...COMMON,
  VIDEO_PROVIDER: 'vertex-veo',
  VIDEO_PROVIDER_URL: apiUrl,
  VERTEX_PROJECT: 'sim-project',
  VERTEX_BUCKET: 'sim-bucket',
  VERTEX_STORAGE_URL: filesUrl,
  VERTEX_TOKEN_URL: `${apiUrl}/token`,
  VERTEX_SUBMITS_PER_MINUTE: '100000',
})

const PATHS = {
  openai: 'openai',
  sglang: 'sglang',
  'vllm-omni': 'vllm',
  fastvideo: 'fastvideo',
  gateway: 'gateway',
} as const

function openAiEnv(flavour: keyof typeof PATHS, { apiUrl, filesUrl, scenario }: Urls) {
  return {
    ...COMMON,
    VIDEO_PROVIDER: 'openai-videos',
    VIDEO_PROVIDER_URL: `${apiUrl}/${PATHS[flavour]}/v1`,
    VIDEO_PROVIDER_MODEL: flavour === 'vllm-omni' ? scenario.servedModel : 'sora-2',
    VIDEO_PROVIDER_ASSET_HOSTS: new URL(filesUrl).host,
    OPENAI_VIDEOS_DIALECT: flavour,
    OPENAI_VIDEOS_MAX_IN_FLIGHT: '1000',
  }
}
