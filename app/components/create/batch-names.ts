/** Name of the dialog that asks before a batch is stopped. */
export const STOP_DIALOG = 'stop-batch'

/** Id of a batch's title, which its panel begins with. */
export const BATCH_TITLE_ID = 'batch-title'
