import { z } from 'zod'
import { oneOf, searchText } from '~/lib/fields'
import { USER_ROLES } from '../../context'
import { PLAN_FILTERS } from './user-list'

const USER_SORTS = ['created', 'username', 'role', 'videos', 'quota', 'expiry'] as const
const USER_FILTERS = [
  'ending-today',
  'expiring',
  'expiring-week',
  'expired-lately',
  'expired',
  'inactive',
  'over-80',
  'never-used',
] as const
/** The lists of the renewal desk. */
export const DESK_LISTS = [
  'ending-today',
  'expiring',
  'expiring-week',
  'expired-lately',
  'never-used',
  'over-80',
] as const satisfies readonly (typeof USER_FILTERS)[number][]
export type DeskList = (typeof DESK_LISTS)[number]
export type UserSort = (typeof USER_SORTS)[number]

/** Accounts per page of the table. */
export const USERS_PER_PAGE = 25
const MOST_PER_PAGE = 10_000

const whole = (name: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, `${name} must be a whole number of at least 1`)
    .transform(Number)

/** Query of the list call. Without page and limit it returns all users. */
export const userListQuery = z.object({
  page: whole('page').optional(),
  limit: whole('limit')
    .transform((value) => Math.min(value, MOST_PER_PAGE))
    .optional(),
  search: searchText(200).default(''),
  role: oneOf('role', ['all', ...USER_ROLES]).default('all'),
  status: oneOf('status', ['all', 'active', 'inactive']).default('all'),
})

/** The filters of a query, which a change of all matching users uses too. */
export const userFilterQuery = z.object({
  search: searchText(200).catch('').default(''),
  role: z
    .enum(['all', ...USER_ROLES])
    .catch('all')
    .default('all'),
  status: z.enum(['all', 'active', 'inactive']).catch('all').default('all'),
  filter: z.enum(USER_FILTERS).optional().catch(undefined),
  /** Not `plan`: the address of a change has the new plan under that name. */
  onPlan: z.enum(PLAN_FILTERS).optional().catch(undefined),
})
export type UserFilterQuery = z.output<typeof userFilterQuery>

/** Query of the table's address. Invalid values count as missing. */
export const userTableQuery = userFilterQuery.extend({
  page: whole('page').catch(1).default('1'),
  sort: z.enum(USER_SORTS).catch('created').default('created'),
  /** The page with the list: the renewal desk, or else the users' page. */
  view: z.literal('desk').optional().catch(undefined),
})
export type UserTableQuery = z.output<typeof userTableQuery>

/** Query of the renewal desk: active customers on one of its lists. */
export const deskQuery = userTableQuery.extend({
  role: z.literal('user').catch('user').default('user'),
  status: z.literal('active').catch('active').default('active'),
  filter: z.enum(DESK_LISTS).catch('expiring').default('expiring'),
  sort: z.enum(USER_SORTS).catch('expiry').default('expiry'),
  view: z.literal('desk').catch('desk').default('desk'),
})
export type DeskQuery = z.output<typeof deskQuery>
