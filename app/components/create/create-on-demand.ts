import { onDemand } from '../ui/on-demand'
import { BATCH_TITLE_ID } from './batch-names'
import { PANEL_ID } from './tabs'

const load = () => import('./create-parts')

export const BulkTab = onDemand(
  async () => (await load()).BulkTab,
  `#${PANEL_ID}[aria-labelledby=tab-bulk]`,
)
export const ImageTab = onDemand(
  async () => (await load()).ImageTab,
  `#${PANEL_ID}[aria-labelledby=tab-image]`,
)
export const BatchPanel = onDemand(async () => (await load()).BatchPanel, `#${BATCH_TITLE_ID}`)
export const StopDialog = onDemand(async () => (await load()).StopDialog)
