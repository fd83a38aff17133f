// The parts that only the bulk generator needs. They are one script file, loaded on demand.
export { BatchPanel } from './batch-panel'
export { BulkTab } from './bulk-tab'
export { StopDialog } from './stop-dialog'
