/**
 * The advisory locks, each named once: two things under one number would keep each other waiting for
 * nothing. 7300 is the release step's (scripts/lib/migrate.mjs); a user's turn in the line is locked
 * under a hash of the id (the function admit_waiting).
 */
export const ADVISORY_LOCKS = {
  /** Which prompt is the current one. */
  dailyPrompt: 7_301,
  /** Places in the pool of tokens. */
  pool: 7_302,
  /** The count of free places and their taking. */
  dispatch: 7_303,
  /** A provider's failure and the count of all of them. */
  failures: 7_304,
  /** One change of everybody's videos at a time. */
  massChange: 7_305,
  /** One worker looks after the others' work at a time. */
  keeper: 7_306,
} as const
