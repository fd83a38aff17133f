import type { Prisma } from '@prisma/client'
import sql, { type Sql } from 'sql-template-tag'

/**
 * Returns how many units a video of an account of `users` uses, where it was sold with `sold`: never more
 * than the account has a day, so that each day has a video.
 */
export const unitsOfClip = (sold: Sql): Sql => sql`greatest(1, least(${sold}, users.video_limit))`

const plainColumns = sql`
  users.id, users.username, users.role, users.plan, users.is_active as "isActive",
  users.api_allowed as "apiAllowed", users.expiry_date as "expiryDate", users.video_limit as "videoLimit",
  users.speed_limit as "speedLimit", users.video_generation_speed as "videoGenerationSpeed",
  users.route`

/** The columns of an `Account` from table `users`. */
export const accountColumns = sql`${plainColumns}, ${unitsOfClip(sql`users.clip_units`)} as "clipUnits"`

/** The columns of a `ProvenAccount`. */
export const provenColumns = sql`${plainColumns}, users.access_version as "accessVersion"`

/** The columns of a `ProvenAccount`, for Prisma. */
export const PROVEN = {
  id: true,
  username: true,
  role: true,
  plan: true,
  isActive: true,
  apiAllowed: true,
  expiryDate: true,
  videoLimit: true,
  speedLimit: true,
  videoGenerationSpeed: true,
  route: true,
  accessVersion: true,
} as const satisfies Prisma.UserSelect
