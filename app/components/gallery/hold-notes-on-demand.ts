import { onDemand } from '../ui/on-demand'

export const HoldNotes = onDemand(
  async () => (await import('./hold-notes')).HoldNotes,
  '[data-hold]',
)
