import sql from 'sql-template-tag'
import type { Executor } from '~/platform/db/port'
import { unitsOfClip } from '../accounts/columns.server'
import { laterDays } from './later-days'
import { MAY_CARRY } from './round-conditions.server'
import type { Carried } from './types'

/** What a row of `batches` tells about its carried prompts, and its place in line. */
export type CarriedRow = {
  place: number | null
  carriedPrompts: number
  carriesAt: Date | null
  daysRun: number
  /** How many videos a day the owner's units are enough for. */
  dayLimit: number
  planEnd: Date | null
  isStopped: boolean
}

/**
 * Columns of `CarriedRow` for a row of `batches`. Only a batch that carries prompts costs a look at them.
 */
export const CARRIED_COLUMNS = sql`line_place as place, carries_at as "carriesAt", days_run as "daysRun",
  case when carries_at is null and line_place is null then 0 else (
    select count(*)::int from carried_prompts where batch_id = batches.id) end as "carriedPrompts",
  case when carries_at is null and line_place is null then 0 else (
    select video_limit / ${unitsOfClip(sql`case when line_place is null then batches.clip_units else users.clip_units end`)}
    from users where users.id = batches.user_id) end as "dayLimit",
  case when carries_at is not null then (
    select expiry_date from users where users.id = batches.user_id) end as "planEnd",
  carries_at is not null and not exists (
    select 1 from users where users.id = batches.user_id and ${MAY_CARRY}) as "isStopped"`

/** Splits a row into the view of its carried prompts, its place in line and its other columns. */
export function splitCarried<Row extends CarriedRow>(
  row: Row,
): [Carried | null, number | null, Omit<Row, keyof CarriedRow>] {
  const { place, carriedPrompts, carriesAt, daysRun, dayLimit, planEnd, isStopped, ...rest } = row
  if (carriedPrompts === 0) return [null, place, rest]
  const perDay = Math.max(1, dayLimit)
  const carried = {
    prompts: carriedPrompts,
    until: carriesAt?.toISOString() ?? null,
    day: daysRun + 1,
    days: daysRun + Math.ceil(carriedPrompts / perDay),
    perDay,
    beyondPlan:
      carriesAt &&
      laterDays({ prompts: carriedPrompts, perDay, firstAt: carriesAt, planEnd }).beyondPlan,
    isStopped,
  }
  return [carried, place, rest]
}

/** Returns a batch's carried prompts. */
export async function readCarried(db: Executor, batchId: string): Promise<Carried | null> {
  const row = await db.one<CarriedRow>(
    sql`select ${CARRIED_COLUMNS} from batches where id = ${batchId}`,
  )
  return splitCarried(row)[0]
}
