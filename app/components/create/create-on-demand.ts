import { onDemand } from '../ui/on-demand'
import { BATCH_TITLE_ID } from './batch-names'
import { PANEL_ID } from './tabs'
import { VIDEO_PANEL_ID } from './video-names'

const load = () => import('./create-parts')
const loadVideo = () => import('./video-panel')

export const BulkTab = onDemand(
  async () => (await load()).BulkTab,
  `#${PANEL_ID}[aria-labelledby=tab-bulk]`,
)
export const ImageTab = onDemand(
  async () => (await import('./image-tab')).ImageTab,
  `#${PANEL_ID}[aria-labelledby=tab-image]`,
)
export const BatchPanel = onDemand(async () => (await load()).BatchPanel, `#${BATCH_TITLE_ID}`)
export const StopDialog = onDemand(async () => (await load()).StopDialog)

export const VideoPanel = onDemand(async () => (await loadVideo()).VideoPanel, `#${VIDEO_PANEL_ID}`)
export const VideoPicture = onDemand(
  async () => (await loadVideo()).VideoPicture,
  `#${VIDEO_PANEL_ID}`,
)
