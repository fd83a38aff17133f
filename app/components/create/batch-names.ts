/** Name of the dialog that asks for confirmation before a batch is stopped. */
export const STOP_DIALOG = 'stop-batch'

/** Id of the batch's title at the top of its panel. */
export const BATCH_TITLE_ID = 'batch-title'
