/** Id of the batch's title at the top of its panel. */
export const BATCH_TITLE_ID = 'batch-title'
