import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { restoreUser } from '../../../app/domain/administration/users/user-trash.server'
import type { UserCtx } from '../../../app/domain/context'
import { getQuota } from '../../../app/domain/quota/queries.server'
import { expect } from 'vitest'
import type { Act } from './thing'
import type { World } from './world'

// What happens to the owner of a thing concerns the thing as well.

type Owned = { person: UserCtx }

const edit =
  (values: Omit<Parameters<typeof editUser>[1], 'id'>): Act<Owned> =>
  ({ admin }, { person }) =>
    editUser(admin, { id: person.actor.id, ...values })

export const disable = edit({ isActive: false })
export const enable = edit({ isActive: true })
export const expire = edit({ expireDays: 0, renewFromToday: true })
export const renewOne = edit({ expireDays: 30, renewFromToday: true })
export const lowerLimit = edit({ videoLimit: 1 })
export const raiseLimit = edit({ videoLimit: 9 })
export const deleteOwner: Act<Owned> = ({ admin }, { person }) => deleteUser(admin, person.actor.id)
export const restoreOwner: Act<Owned> = ({ admin }, { person }) =>
  restoreUser(admin, person.actor.id)

/** Makes an account what a registration makes of it, in a network of its own. */
export async function makeTrial(
  { engine }: Pick<World, 'engine'>,
  { actor }: UserCtx,
  network: string,
): Promise<void> {
  await engine.pool.query(
    `insert into trials (user_id, network, video_limit, ends_at)
     select id, $2, video_limit, expiry_date from users where id = $1 on conflict do nothing`,
    [actor.id, network],
  )
}

type Units = { used: number; reserved: number; limit: number; gifted: number; each: number }

/** The units of today as the ledger has them, and the limit. */
export async function unitsOf({ engine }: World, { actor }: UserCtx): Promise<Units> {
  const { timeZone } = engine.deps.settings
  const { rows } = await engine.pool.query<Units>(
    `select coalesce(sum(units) filter (where charge.state <> 'returned'), 0)::int as used,
       coalesce(sum(units) filter (where charge.state = 'reserved'), 0)::int as reserved,
       (select greatest(1, least(clip_units, video_limit)) from users where id = $1) as each,
       (select video_limit from users where id = $1)
         + coalesce((select gifted from quota_days as q where user_id = $1 and q.day = today.day), 0) as limit,
       coalesce((select gifted from quota_days as q where user_id = $1 and q.day = today.day), 0) as gifted
     from (select (engine_now() at time zone $2)::date as day) as today
       left join quota_charges as charge on charge.user_id = $1 and charge.day = today.day
         and charge.epoch = coalesce(
           (select epoch from quota_days as q where user_id = $1 and q.day = today.day), 0)
     group by today.day`,
    [actor.id, timeZone],
  )
  return rows[0]!
}

/** Fails if the quota that a person sees is not that of the ledger. */
export async function quotaAgrees(world: World, person: UserCtx): Promise<void> {
  const { used, reserved, limit, each } = await unitsOf(world, person)
  const { settings, db } = world.engine.deps
  const { rows } = await world.engine.pool.query<{ limit: number }>(
    'select video_limit as limit from users where id = $1',
    [person.actor.id],
  )
  const { timeZone } = settings
  const query = { userId: person.actor.id, limit: rows[0]!.limit, timeZone }
  expect(await getQuota(db, query)).toMatchObject({
    limit,
    used,
    inProgress: reserved,
    remaining: Math.max(0, Math.floor((limit - used) / each)),
  })
}
