import sql from 'sql-template-tag'

/** The columns of an `Account` from table `users`. */
export const accountColumns = sql`
  users.id, users.username, users.role, users.plan, users.is_active as "isActive",
  users.expiry_date as "expiryDate", users.video_limit as "videoLimit",
  users.speed_limit as "speedLimit", users.video_generation_speed as "videoGenerationSpeed"`

/** The columns of a `ProvenAccount`. */
export const provenColumns = sql`${accountColumns}, users.access_version as "accessVersion"`
