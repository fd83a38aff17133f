/**
 * What every confirmation of a deletion says about its end (decision 27: the trash keeps videos a
 * week).
 */
export const AFTER_DELETION =
  'For 7 days an administrator can bring it back; after that it is gone.'

/** The same for several videos. */
export const AFTER_DELETIONS =
  'For 7 days an administrator can bring them back; after that they are gone.'
