/**
 * All advisory locks, in one place so that no number is used twice: unrelated work would then block
 * each other. 7300 belongs to the release step (scripts/lib/migrate.mjs). A user's turn in the line
 * is locked under a hash of the user id (the function admit_waiting).
 */
export const ADVISORY_LOCKS = {
  /** Choosing the current daily prompt. */
  dailyPrompt: 7_301,
  /** The order of the tokens in the pool. */
  pool: 7_302,
  /** Counting free places and filling them. */
  dispatch: 7_303,
  /** Recording a provider's failure and counting all its failures. */
  failures: 7_304,
  /** Allows one mass change of all users' videos at a time. */
  massChange: 7_305,
  /** Allows one worker at a time to look for other workers' overdue attempts. */
  overdue: 7_306,
  /** Allows one process at a time to decide what administrators are told. */
  alarms: 7_307,
} as const
