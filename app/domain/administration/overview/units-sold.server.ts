import sql from 'sql-template-tag'

/** Builds the units a day of all customers whose plan has not ended. */
export const UNITS_SOLD = sql`(
  select coalesce(sum(video_limit), 0)::int from users
  where role = 'user' and plan is not null and is_active and deleted_at is null
    and (expiry_date is null or expiry_date > engine_now()))`
