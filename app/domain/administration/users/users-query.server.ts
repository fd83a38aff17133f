import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { isId } from '~/lib/ids'
import type { Executor } from '~/platform/db/port'
import { nameForms } from '../../names/name-forms.server'
import type { AdminCtx, Settings, UserCtx } from '../../context'
import { endOfDay, thisMonth, today } from '../../days.server'
import { AppError } from '../../errors'
import { isoText } from '../../iso-text.server'
import { likePart } from '../../videos/owners.server'
import {
  DESK_LISTS,
  USERS_PER_PAGE,
  type DeskList,
  type UserFilterQuery,
  type UserSort,
  type UserTableQuery,
} from './list-schemas'
import { FIELDS_JSON } from '../account-columns.server'
import { USER_RULES } from '../rules'
import type { ListedUser, ManagedUser, UserPage } from '../types'

/**
 * The days until an account expires. Subtracts what rounding may have added to the column. Otherwise
 * 40 days granted now would show as 41.
 */
const daysLeft = sql`
  ceil(extract(epoch from users.expiry_date - engine_now() - interval '1 millisecond') / 86400)::int`

/** Builds a ManagedUser from a row of `usersFrom`. PostgreSQL builds the JSON of long lists. */
const userJson = sql`json_build_object(
  'id', users.id, 'username', users.username, 'phone', users.phone, 'email', users.email,
  ${FIELDS_JSON}, 'expiryDate', ${isoText(sql`users.expiry_date`)}, 'daysLeft', ${daysLeft},
  'videosGeneratedToday', coalesce(today.reserved + today.charged, 0),
  'videosGeneratedThisMonth', coalesce(month.used, 0),
  'createdAt', ${isoText(sql`users.created_at`)},
  'tokenMasked', credentials.mask)`

/** Joins by unique keys, so that PostgreSQL skips joins that a statement does not use. */
const usersFrom = (timeZone: string): Sql => sql`
  users
  left join quota_days as today on today.user_id = users.id
    and today.day = ${today(timeZone)}
  left join quota_months as month on month.user_id = users.id
    and month.month = ${thisMonth(timeZone)}
  left join credentials on credentials.id = users.credential_id`

/** The expression of the index on names, numbers and addresses. */
const SEARCHED = sql`(users.username || ' ' || coalesce(users.phone, '') || ' ' || coalesce(users.email, ''))`

const expiringWithin = (days: number) => sql`users.expiry_date > engine_now() - interval '1 day'
    and users.expiry_date <= engine_now() + make_interval(days => ${days})`

/** An account works until a day after its end (Q-16), and says 'Today' on that day. */
const hasEnded = sql`users.expiry_date <= engine_now() - interval '1 day'`

/** The renewal desk goes by the calendar: who ends on this day is on its list, and who still works on it. */
const endsToday = (timeZone: string) => sql`
  users.expiry_date > engine_now() - interval '1 day'
  and users.expiry_date < ${endOfDay(today(timeZone), timeZone)}`

const FILTERS = {
  expiring: expiringWithin(USER_RULES.soonDays),
  'expiring-week': expiringWithin(USER_RULES.warningDays),
  'expired-lately': sql`${hasEnded}
    and users.expiry_date > engine_now() - make_interval(days => ${USER_RULES.latelyDays + 1})`,
  expired: hasEnded,
  inactive: sql`not users.is_active`,
  'over-80': sql`(today.reserved + today.charged) * 100 > ${USER_RULES.nearlyUsedPercent}::int * (users.video_limit + today.gifted)`,
  // Not `exists`, which would be looked up for each user where it is only counted.
  'never-used': sql`users.id in (select user_id from galleries where version = 0)`,
} as const

const filterSql = (name: NonNullable<UserFilterQuery['filter']>, timeZone: string): Sql =>
  name === 'ending-today' ? endsToday(timeZone) : FILTERS[name]

const STATUS = {
  all: empty,
  active: sql`users.is_active`,
  inactive: sql`not users.is_active`,
} as const

/** How many active customers are on each list of the renewal desk, in one reading of the accounts. */
export function countDeskLists({ db, settings }: AdminCtx): Promise<Record<DeskList, number>> {
  const counts = DESK_LISTS.map(
    (list) => sql`${list}::text, count(*) filter (where ${filterSql(list, settings.timeZone)})`,
  )
  return db
    .one<{ counts: Record<DeskList, number> }>(
      sql`
      select json_build_object(${join(counts)}) as counts from ${usersFrom(settings.timeZone)}
      where ${usersWhere({ ...ON_DESK, search: '', filter: undefined, onPlan: undefined }, settings)}`,
    )
    .then(({ counts }) => counts)
}

const ON_DESK = { role: 'user', status: 'active' } as const

/** Builds a filter as a condition on `usersFrom`. Excludes accounts in the trash. */
export function usersWhere(
  { search, role, status, filter, onPlan }: UserFilterQuery,
  { phoneCountries, timeZone }: Pick<Settings, 'phoneCountries' | 'timeZone'>,
): Sql {
  const conditions = [
    sql`users.deleted_at is null`,
    search === '' ? empty : matches(search, phoneCountries),
    role === 'all' ? empty : sql`users.role = ${role}::user_role`,
    STATUS[status],
    filter === undefined ? empty : filterSql(filter, timeZone),
    onPlan === undefined ? empty : isOnPlan(onPlan),
  ].filter((condition) => condition !== empty)
  return join(conditions, ' and ')
}

const isOnPlan = (plan: NonNullable<UserFilterQuery['onPlan']>): Sql =>
  plan === 'none' ? sql`users.plan is null` : sql`users.plan = ${plan}::plan_name`

/**
 * Matches part of a name, number, address or note. A number also matches in its other spellings. Apart from the
 * notes, so that the index finds the names.
 */
function matches(search: string, countries: readonly string[]): Sql {
  const texts = nameForms(search, countries).forms.map(likePart)
  const some = join(
    texts.map((text) => sql`${SEARCHED} ilike ${text}`),
    ' or ',
  )
  return sql`users.id in (select id from users where ${some}
    union all select user_id from customer_cards where note ilike ${likePart(search)})`
}

type Listed = Omit<ListedUser, keyof ManagedUser>

/** What the pages show of an account besides. */
const LISTED = sql`users.password_hash is not null as "hasPassword", coalesce((
  select split_part(note, chr(10), 1) from customer_cards where user_id = users.id), '') as "noteLine"`

const SORTS = {
  created: { by: sql`users.created_at`, direction: 'desc' },
  username: { by: sql`users.username`, direction: 'asc' },
  role: { by: sql`users.role`, direction: 'asc' },
  videos: { by: sql`coalesce(month.used, 0)`, direction: 'desc' },
  quota: { by: sql`users.video_limit`, direction: 'desc' },
  expiry: { by: sql`users.expiry_date`, direction: 'asc', mayBeNull: true },
} as const satisfies Record<UserSort, { by: Sql; direction: 'asc' | 'desc'; mayBeNull?: true }>

/** Lists one page of the table. A page after the last one returns the last one. */
export async function listUsers(ctx: AdminCtx, query: UserTableQuery): Promise<UserPage> {
  const limit = USERS_PER_PAGE
  const [totalCount, asked] = await Promise.all([countUsers(ctx, query), readPage(ctx, query)])
  const totalPages = Math.max(1, Math.ceil(totalCount / limit))
  const page = Math.min(query.page, totalPages)
  const users = page === query.page ? asked : await readPage(ctx, { ...query, page })
  return { users, page, limit, totalCount, totalPages }
}

async function readPage(ctx: AdminCtx, query: UserTableQuery): Promise<ListedUser[]> {
  const sort = SORTS[query.sort]
  const direction = raw(sort.direction)
  // On a column that is never null, this clause would keep PostgreSQL from using the index for the
  // order.
  const nulls = 'mayBeNull' in sort ? sql`nulls last` : empty
  const order = sql`place ${direction} ${nulls}, id ${direction}`
  const from = usersFrom(ctx.settings.timeZone)
  // Selects the page's ids first, so that no JSON is built for skipped rows.
  const rows = await ctx.db.rows<{ user: ManagedUser } & Listed>(sql`
    select ${userJson} as "user", ${LISTED} from (
      select users.id, ${sort.by} as place from ${from} where ${usersWhere(query, ctx.settings)}
      order by ${order}
      limit ${USERS_PER_PAGE} offset ${(query.page - 1) * USERS_PER_PAGE}) as chosen
    join ${from} on users.id = chosen.id
    order by chosen.place ${direction} ${nulls}, chosen.id ${direction}`)
  return rows.map(({ user, ...listed }) => ({ ...user, ...listed }))
}

/** Counts the accounts that match a filter. */
export async function countUsers(
  { db, settings }: AdminCtx,
  query: UserFilterQuery,
): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from ${usersFrom(settings.timeZone)} where ${usersWhere(query, settings)}`)
  return count
}

type ListCall = Omit<UserFilterQuery, 'filter' | 'onPlan'> & {
  page?: number | undefined
  limit?: number | undefined
}

/** The call has no such filters. */
const NO_FURTHER = { filter: undefined, onPlan: undefined }

/** Returns the JSON text of the list call, newest first, and the total number of matches. */
export async function listUsersJson(
  ctx: AdminCtx,
  { page = 1, limit, ...query }: ListCall,
): Promise<{ json: string; totalCount: number }> {
  const paged = limit === undefined && page === 1 ? undefined : (limit ?? USERS_PER_PAGE)
  const where = usersWhere({ ...query, ...NO_FURTHER }, ctx.settings)
  const some = paged === undefined ? empty : sql`limit ${paged} offset ${(page - 1) * paged}`
  const { json } = await ctx.db.one<{ json: string }>(sql`
    select coalesce(json_agg("user"), '[]')::text as json from (
      select ${userJson} as "user" from ${usersFrom(ctx.settings.timeZone)} where ${where}
      order by users.created_at desc, users.id desc ${some}) as page`)
  const totalCount = await countUsers(ctx, { ...query, ...NO_FURTHER })
  return { json, totalCount }
}

export const noSuchUser = () => new AppError('NOT_FOUND', 'This user does not exist')

/** Returns one account, or null if it does not exist or is in the trash. */
export async function findManagedUser(
  { settings }: Pick<UserCtx, 'settings'>,
  db: Executor,
  id: string | null,
): Promise<ManagedUser | null> {
  if (id === null || !isId(id)) return null
  const row = await db.row<{ user: ManagedUser }>(sql`
    select ${userJson} as "user" from ${usersFrom(settings.timeZone)}
    where users.id = ${id} and users.deleted_at is null`)
  return row?.user ?? null
}

/** Returns one account by its id or username, or null if it does not exist or is in the trash. */
export async function findListedUser(
  { db, settings }: AdminCtx,
  idOrName: string,
): Promise<ListedUser | null> {
  const isOne = isId(idOrName) ? sql`users.id = ${idOrName}` : sql`users.username = ${idOrName}`
  const row = await db.row<{ user: ManagedUser } & Listed>(sql`
    select ${userJson} as "user", ${LISTED}
    from ${usersFrom(settings.timeZone)} where ${isOne} and users.deleted_at is null`)
  if (!row) return null
  const { user, ...listed } = row
  return { ...user, ...listed }
}

/** Like `findManagedUser`, but throws NOT_FOUND. */
export async function getManagedUser(ctx: UserCtx, db: Executor, id: string): Promise<ManagedUser> {
  const user = await findManagedUser(ctx, db, id)
  if (!user) throw noSuchUser()
  return user
}

/** Returns the accounts with these ids, apart from those in the trash. */
export async function listManagedUsers(
  { db, settings }: AdminCtx,
  ids: readonly string[],
): Promise<ManagedUser[]> {
  const rows = await db.rows<{ user: ManagedUser }>(sql`
    select ${userJson} as "user" from ${usersFrom(settings.timeZone)}
    where users.id = any(${[...ids]}::uuid[]) and users.deleted_at is null`)
  return rows.map(({ user }) => user)
}

/** Returns the ids of the accounts with these usernames. */
export async function findUserIds(
  { db }: AdminCtx,
  usernames: readonly string[],
): Promise<string[]> {
  const where = { username: { in: [...usernames] }, deletedAt: null }
  const rows = await db.prisma(({ user }) => user.findMany({ where, select: { id: true } }))
  return rows.map(({ id }) => id)
}

/**
 * Lists a chunk of the accounts that match a filter, by id. `beyond` is the condition for its
 * start.
 */
export async function listForExport(
  { db, settings }: AdminCtx,
  query: UserFilterQuery,
  { beyond, limit }: { beyond: Sql; limit: number },
): Promise<ManagedUser[]> {
  const rows = await db.rows<{ user: ManagedUser }>(sql`
    select ${userJson} as "user" from ${usersFrom(settings.timeZone)}
    where ${usersWhere(query, settings)} ${beyond} order by users.id limit ${limit}`)
  return rows.map(({ user }) => user)
}
