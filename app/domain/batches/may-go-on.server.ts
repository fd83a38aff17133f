import sql from 'sql-template-tag'

/**
 * Condition on which rounds are released for a user. Accepted work of an expired account waits for
 * its renewal (decision Q-40).
 */
export const MAY_GO_ON = sql`users.is_active and users.deleted_at is null
  and (users.expiry_date is null or users.expiry_date > engine_now() - interval '1 day')`
