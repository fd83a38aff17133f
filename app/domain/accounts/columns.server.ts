import type { Prisma } from '@prisma/client'
import sql from 'sql-template-tag'

/** The columns of an `Account` from table `users`. */
export const accountColumns = sql`
  users.id, users.username, users.role, users.plan, users.is_active as "isActive",
  users.api_allowed as "apiAllowed", users.expiry_date as "expiryDate", users.video_limit as "videoLimit",
  users.speed_limit as "speedLimit", users.video_generation_speed as "videoGenerationSpeed",
  users.route, users.clip_units as "clipUnits"`

/** The columns of a `ProvenAccount`. */
export const provenColumns = sql`${accountColumns}, users.access_version as "accessVersion"`

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
  clipUnits: true,
  accessVersion: true,
} as const satisfies Prisma.UserSelect
