// The parts of the create screen that its first tab does not need. They are one script file, loaded on
// demand.
export { BatchPanel } from './batch-panel'
export { BulkTab } from './bulk-tab'
export { StopDialog } from './stop-dialog'
