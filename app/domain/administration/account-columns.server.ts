import sql, { join, type Sql } from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import type { PlanNumbers } from '../plans/numbers'
import type { FieldName } from './account-fields'
import type { SoldWith } from './changes/bulk-rules'

// The columns of an account's fields in `users`. The statements of administrators that write, read,
// change or undo them use these fragments, so that none of them can miss one.

/** `key` is the field's name in JSON. */
type Column = { key: Sql; name: Sql; type: Sql }
type Columns = Record<string, Column>

/** What is sold. */
const SOLD: Record<'plan' | keyof PlanNumbers, Column> = {
  plan: { key: sql`'plan'`, name: sql`plan`, type: sql`plan_name` },
  videoLimit: { key: sql`'videoLimit'`, name: sql`video_limit`, type: sql`int` },
  speedLimit: { key: sql`'speedLimit'`, name: sql`speed_limit`, type: sql`int` },
  videoGenerationSpeed: {
    key: sql`'videoGenerationSpeed'`,
    name: sql`video_generation_speed`,
    type: sql`int`,
  },
}

const OTHERS: Record<Exclude<FieldName, keyof typeof SOLD>, Column> = {
  role: { key: sql`'role'`, name: sql`role`, type: sql`user_role` },
  isActive: { key: sql`'isActive'`, name: sql`is_active`, type: sql`boolean` },
}

const each = (columns: Columns, part: (column: Column) => Sql): Sql =>
  join(Object.values(columns).map(part), ', ')
const all = (part: (column: Column) => Sql): Sql => sql`${each(SOLD, part)}, ${each(OTHERS, part)}`

const named = ({ key, name }: Column) => sql`${key}, users.${name}`

/**
 * Names and values of what is sold and what comes with it, and of all fields, for `json_build_object`.
 */
export const SOLD_JSON = sql`${each(SOLD, named)}, 'route', users.route, 'clipUnits', users.clip_units`
export const FIELDS_JSON = all(named)

/** Returns what an account has from its plan, so that an undo can give it back. The caller has locked it. */
export const readSoldWith = (db: Executor, userId: string): Promise<SoldWith> =>
  db.one<SoldWith>(sql`select route, clip_units as "clipUnits" from users where id = ${userId}`)

const SOLD_PLAN = sql`(after->>'plan')::plan_name`

/**
 * The columns by their names, for `insert into`, and their values from the jsonb `after`. The providers
 * and the units of a video are those with which the plan is sold now.
 */
export const FIELD_COLUMNS = sql`route, clip_units, ${all(({ name }) => name)}`
export const FIELD_VALUES = sql`route_of_plan(${SOLD_PLAN}), clip_units_of_plan(${SOLD_PLAN}), ${all(({ key, type }) => sql`(after->>${key})::${type}`)}`

const changes = all(
  ({ key, name, type }) =>
    sql`${name} = case when after ? ${key} then (after->>${key})::${type} else ${name} end`,
)
/**
 * Assigns the fields that are in the jsonb `after`, for `update users set`. Another plan brings its
 * providers and its units of a video: those in `after`, where an undo gives an old plan back, or else those
 * with which it is sold now.
 */
const isOther = sql`after ? 'plan' and ${SOLD_PLAN} is distinct from plan`
export const FIELD_CHANGES = sql`
  route = case when ${isOther} then coalesce(after->>'route', route_of_plan(${SOLD_PLAN})) else route end,
  clip_units = case when ${isOther} then coalesce((after->>'clipUnits')::int, clip_units_of_plan(${SOLD_PLAN}))
    else clip_units end, ${changes}`
