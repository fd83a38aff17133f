import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '~/platform/db/port'
import { DEVICE_DAYS, removeOldDevices } from '../accounts/known-devices.server'
import { ACCESS_ACTIONS } from '../activity/types'
import type { Deps, KeptDays } from '../context'
import { today } from '../days.server'
import { isSignedIn } from '../notifications/targets.server'
import { IS_OUTDATED } from '../videos/keeping.server'
import { removeUnusedPictures } from '../videos/pictures.server'
import { removeVideos } from '../videos/requests/delete-videos.server'
import { removeOldDraftPictures } from '../videos/requests/draft-pictures.server'

/** Rows per transaction, so that it holds locks only briefly. */
const PIECE = 2000
/** Fewer for videos, because the galleries of their owners are locked meanwhile. */
const VIDEOS_PIECE = 200

type Scope = Pick<Deps, 'queue' | 'settings'>

export type Rule = {
  /** Name of the rule's row in `retention`. */
  name: string
  /** What the rule removes, as shown to administrators. */
  what: string
  /** A setting, or a fixed number of days. 0 removes a row as soon as it has no more use. */
  days: keyof KeptDays | number
  /** Removes some of the rows older than `days`. Returns how many; 0 means that none is left. */
  remove: (tx: Tx, days: number, scope: Scope) => Promise<number>
}

const ago = (days: number): Sql => sql`engine_now() - make_interval(days => ${days})`
const ACCESS = Object.keys(ACCESS_ACTIONS)

/**
 * The retention rules. Figures derived from removed rows are stored elsewhere (counters of
 * galleries, days and months), so removal changes no figure. Videos are moved to the trash, which
 * has its own retention (requests/trash.server.ts).
 */
export const RULES = [
  {
    name: 'videos',
    what: 'Videos',
    days: 'videos',
    remove: async (tx, _days, { queue }) => {
      const old = await tx.rows<{ id: string }>(sql`
        select videos.id from videos where ${IS_OUTDATED}
        order by greatest(created_at, completed_at, restored_at) limit ${VIDEOS_PIECE}`)
      // The condition is repeated under the locks, so that a video being regenerated is not
      // removed.
      const ids = old.map(({ id }) => id)
      const which = sql`videos.id = any(${ids}::uuid[]) and ${IS_OUTDATED}`
      return (await removeVideos(tx, queue, which)).count
    },
  },
  {
    name: 'attempts',
    what: 'Orders of ended videos',
    days: 'attempts',
    // Orphaned attempts may have been paid for and are kept. Attempts of a generation in progress
    // are kept to count its failures. Attempts of a running batch are kept because they show when
    // its last orders were sent.
    remove: (tx, days) =>
      tx.run(sql`
        with old as (
          (select id from attempts where state = 'done' and settled_at < ${ago(days)} and ${HAS_ENDED}
            order by settled_at limit ${PIECE})
          union all
          (select id from attempts where state in ('failed', 'abandoned') and settled_at < ${ago(days)}
            and ${HAS_ENDED} order by settled_at limit ${PIECE})
        )
        delete from attempts using old where attempts.id = old.id`),
  },
  {
    name: 'ledger',
    what: 'Entries of the quota ledger',
    days: 'ledger',
    remove: (tx, days, { settings }) =>
      tx.run(sql`
        with old as (
          select video_id, generation from quota_charges
          where day < ${today(settings.timeZone)} - ${days}::int
            and state <> 'reserved'
          order by day limit ${PIECE} for update skip locked
        )
        delete from quota_charges as charge using old
        where charge.video_id = old.video_id and charge.generation = old.generation`),
  },
  {
    name: 'rounds',
    what: 'Rounds of ended batches',
    days: 'rounds',
    remove: (tx, days) =>
      tx.run(sql`
        with old as (
          select batch_id, rounds.round_no from rounds join batches on batches.id = rounds.batch_id
          where fired_at < ${ago(days)} and status <> 'processing' order by fired_at limit ${PIECE}
        )
        delete from rounds using old
        where rounds.batch_id = old.batch_id and rounds.round_no = old.round_no`),
  },
  {
    name: 'activity',
    what: 'Activity log: what administrators did',
    days: 'activity',
    remove: (tx, days) =>
      tx.run(sql`
        delete from trail_entries where id in (select id from trail_entries
          where action <> all(${ACCESS}::text[]) and at < ${ago(days)} order by at limit ${PIECE})`),
  },
  {
    name: 'access',
    what: 'Activity log: signing in',
    days: 'access',
    remove: (tx, days) =>
      tx.run(sql`
        delete from trail_entries where id in (select id from trail_entries
          where action = any(${ACCESS}::text[]) and at < ${ago(days)} limit ${PIECE})`),
  },
  {
    name: 'keys',
    what: 'Idempotency keys',
    days: 2,
    remove: (tx, days) =>
      tx.run(sql`
        delete from idempotency_keys where (user_id, key) in (select user_id, key from idempotency_keys
          where created_at < ${ago(days)} limit ${PIECE})`),
  },
  {
    name: 'api-keys',
    what: 'Ended API keys',
    days: 30,
    remove: (tx, days) =>
      tx.run(sql`
        delete from api_keys where id in (select id from api_keys
          where expires_at < ${ago(days)} limit ${PIECE})`),
  },
  {
    name: 'notifications',
    what: 'Messages to users and administrators',
    days: 30,
    remove: (tx, days) =>
      tx.run(sql`
        delete from notifications where id in (select id from notifications
          where at < ${ago(days)} order by at limit ${PIECE})`),
  },
  {
    name: 'devices',
    what: 'Browsers that were told of batches, after their session ended',
    days: 0,
    remove: (tx) =>
      tx.run(sql`
        delete from push_subscriptions where id in (select id from push_subscriptions
          where not ${isSignedIn} order by id limit ${PIECE} for update skip locked)`),
  },
  {
    name: 'assignments',
    what: 'Token assignments',
    days: 30,
    remove: (tx, days) =>
      tx.run(sql`
        delete from pool_assignments where id in (select id from pool_assignments
          where assigned_at < ${ago(days)} limit ${PIECE})`),
  },
  {
    name: 'payment-pictures',
    what: 'Screenshots of payments',
    days: 90,
    remove: (tx, days) =>
      tx.run(sql`
        delete from payment_pictures where payment_id in (select payment_id from payment_pictures
          where added_at < ${ago(days)} order by added_at limit ${PIECE})`),
  },
  {
    name: 'draft-pictures',
    what: 'Pictures in the bulk form that were not started',
    days: 7,
    remove: (tx, days) => removeOldDraftPictures(tx, days, PIECE),
  },
  {
    name: 'order-pictures',
    what: 'Pictures of videos that are gone',
    days: 0,
    remove: (tx, _days, { queue }) => removeUnusedPictures(tx, queue, VIDEOS_PIECE),
  },
  {
    name: 'trial-days',
    what: 'Counts of trials',
    days: 2,
    remove: (tx, days) =>
      tx.run(sql`
        delete from trial_days where (day, network) in (select day, network from trial_days
          where day < engine_now()::date - ${days}::int limit ${PIECE})`),
  },
  {
    name: 'end-counts',
    what: 'Counts of the overview',
    days: 62,
    remove: async (tx, days) => {
      await tx.run(sql`delete from load_peaks where starts_at < ${ago(days)}`)
      return tx.run(sql`
        delete from end_counts where (starts_at, slot, provider) in (select starts_at, slot, provider from end_counts
          where starts_at < ${ago(days)} limit ${PIECE})`)
    },
  },
  {
    name: 'sessions',
    what: 'Ended sessions',
    days: 0,
    remove: (tx, days) =>
      tx.run(sql`
        delete from sessions where id_hash in (select id_hash from sessions
          where expires_at < ${ago(days)} limit ${PIECE})`),
  },
  {
    name: 'devices',
    what: 'Devices of customers',
    days: DEVICE_DAYS,
    remove: (tx) => removeOldDevices(tx, PIECE),
  },
  {
    name: 'throttles',
    what: 'Rate-limit counters',
    days: 0,
    remove: (tx, days) =>
      tx.run(sql`
        delete from throttles where key in (select key from throttles
          where expire < extract(epoch from ${ago(days)}) * 1000 limit ${PIECE})`),
  },
  {
    name: 'lock-outs',
    what: 'Lock-outs already logged',
    days: 1,
    remove: (tx, days) =>
      tx.run(sql`
        delete from lock_outs where key in (select key from lock_outs
          where noted_at < ${ago(days)} limit ${PIECE})`),
  },
] as const satisfies readonly Rule[]

const HAS_ENDED = sql`not exists (select 1 from videos where videos.id = attempts.video_id
    and videos.generation = attempts.generation and videos.status in ('pending', 'generating'))
  and not exists (select 1 from batches
    where batches.id = attempts.batch_id and batches.status = 'processing')`
