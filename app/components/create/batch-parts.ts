// What only users of bulk need: one file of scripts.
export { BatchPanel } from './batch-panel'
export { BulkTab } from './bulk-tab'
export { StopDialog } from './stop-dialog'
