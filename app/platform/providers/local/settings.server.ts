import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { hasPreviewPackages } from '../../preview-packages.server'
import { text } from '../../setting-fields'
import type { ProviderSettings } from '../definition'

export type LocalConfig = {
  /** The folder of the orders, created if missing. Worker processes may share it. */
  ordersDir: string
  /** The path of the built renderer, `render-clip.js`. */
  rendererEntry: string
  /** The number of clips rendered at once by all processes that share the folder. */
  concurrency: number
  /** The model id shown on the video. */
  model: string
  /** Multiplies `pollAfterMs`. */
  timeScale: number
}

const NO_PREVIEW =
  'VIDEO_PROVIDER must name a provider (see docs/providers.md): the preview renderer, local, is not part of this installation'

const schema = z.object({ VIDEO_PROVIDER_MODEL: text })

export const settings: ProviderSettings<z.output<typeof schema>, LocalConfig> = {
  prefix: null,
  schema,
  problems: () => (hasPreviewPackages() ? [] : [NO_PREVIEW]),
  configOf: ({ VIDEO_PROVIDER_MODEL: model = 'local-preview' }, host) => ({
    ordersDir: path.join(host.dataDir, 'renders'),
    rendererEntry: path.join(host.buildDir, 'render-clip.js'),
    // One renderer occupies two processors.
    concurrency: Math.max(1, Math.floor(os.availableParallelism() / 2)),
    model,
    timeScale: host.timeScale,
  }),
}
