import sql, { empty, type Sql } from 'sql-template-tag'
import type { StatusFilter } from './types'

// What a video's state is called, as conditions on `videos`. rules.ts says the same of a card.

/** It was cancelled before it was sent (decision Q-65). */
export const IS_CANCELLED = sql`(videos.status = 'error' and videos.error_code is not distinct from 'cancelled')`

/** It was tried and failed, by a refusal of its prompt too (decision Q-65). */
export const IS_FAILED = sql`(videos.status = 'error' and videos.error_code is distinct from 'cancelled')`

/** It is a prompt of a batch that was never sent. */
export const IS_WAITING_PROMPT = sql`(videos.status = 'pending' and videos.batch_id is not null
  and videos.regenerate_count = 0)`

/** A gallery's status filter as SQL. */
export const STATUS_FILTER = {
  all: empty,
  completed: sql`and videos.status = 'completed'`,
  pending: sql`and videos.status in ('pending', 'generating')`,
  error: sql`and ${IS_FAILED}`,
  cancelled: sql`and ${IS_CANCELLED}`,
} as const satisfies Record<StatusFilter, Sql>

/** Which of the matching videos have a card: what waits, and what was cancelled, is told by the strip of its batch. */
export const HAS_CARD = {
  all: sql`and not ${IS_WAITING_PROMPT} and not ${IS_CANCELLED}`,
  completed: empty,
  pending: sql`and not ${IS_WAITING_PROMPT}`,
  error: empty,
  cancelled: empty,
} as const satisfies Record<StatusFilter, Sql>

/** The same among all users' videos, which have no strips: what waits is a card of the filter by state. */
export const HAS_CARD_AMONG_ALL = { ...HAS_CARD, pending: empty }
