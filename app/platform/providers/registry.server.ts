import type { ProviderDefinition } from './definition'
import { comfyUi } from './comfyui/adapter.server'
import { local } from './local/adapter.server'
import { openAiVideos } from './openai-videos/adapter.server'
import { runway } from './runway/adapter.server'
import { tasks } from './tasks/adapter.server'
import { vertexVeo } from './vertex-veo/adapter.server'

/** All providers. */
export const PROVIDERS: readonly ProviderDefinition[] = [
  local,
  vertexVeo,
  openAiVideos,
  runway,
  tasks,
  comfyUi,
]
