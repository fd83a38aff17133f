/**
 * What every confirmation of a deletion says about its end (decision 27: the trash keeps videos a
 * week).  Of others’ videos, Recently deleted is their owner’s.
 */
export const AFTER_DELETION =
  'For 7 days it stays in Recently deleted and can be restored; after that it is gone.'

/** The same for several videos. */
export const AFTER_DELETIONS =
  'For 7 days they stay in Recently deleted and can be restored; after that they are gone.'
