import sql, { type Sql } from 'sql-template-tag'
import { JOB_TEXTS } from '~/platform/queue/tables'
import { MAY_CARRY } from '../batches/round-conditions.server'
import { ACTIVE } from '../videos/engine/attempts.server'
import { NEWEST_ORDERS } from './types'

/** The attempt is in progress. */
const MOVING = sql`state in (${ACTIVE})`
const AGO = sql`engine_now() - interval '60 seconds'`
/** Anything this late has been missed by two sweeps. */
const LONG_AGO = sql`engine_now() - interval '3 minutes'`

const NEWEST_ATTEMPTS = sql`(
  select id, user_id, batch_id, created_at from attempts order by id desc limit ${NEWEST_ORDERS}) as newest`

/** Payments that were decided lately. Their entries in the log have not been removed yet. */
const JUST_DECIDED = sql`payments.decided_at > engine_now() - interval '1 day'`

/** The patterns that redact.ts removes. */
const LIKE_A_TOKEN = '-----BEGIN|\\mbearer\\s+[\\w.~+/=-]{4,}|\\mAIza[\\w-]{8,}|\\mya29\\.[\\w.-]+'

/**
 * The invariants, each as a statement that selects violations. Checked every minute in production
 * and after every integration test. The ids are explained in docs/rules.md#invariants.
 */
export const INVARIANTS = {
  'I1 every order accepted under a key exists': sql`
    select user_id, key from idempotency_keys as accepted
    where created_at > engine_now() - interval '1 hour'
      and exists (select 1 from users where id = accepted.user_id) and (
      (result->>'batchId' is not null
        and not exists (select 1 from batches where id = (accepted.result->>'batchId')::uuid))
      or (result->>'id' is not null
        and not exists (select 1 from videos where id = (accepted.result->>'id')::uuid)))`,
  'I2 no video is stuck': sql`
    select id from videos where status in ('pending', 'generating') and deleted_at is null
      and created_at < ${AGO} and not exists (select 1 from line_entries where video_id = videos.id)
      and not exists (select 1 from attempts where video_id = videos.id and ${MOVING})
      and not (awaits_round and exists (
        select 1 from batches where id = videos.batch_id and batches.status = 'processing'))`,
  'I2 no entry waits without a reason': sql`
    select video_id, state from line_entries as entry
    where (state = 'held' and wake_at < ${LONG_AGO})
      or (state = 'gated' and entered_at < ${LONG_AGO} and not exists (
        select 1 from line_entries as other where other.user_id = entry.user_id and other.state <> 'gated')
        and not exists (select 1 from attempts where user_id = entry.user_id and ${MOVING}))`,
  'I2 no step is overdue': sql`
    select id, state from attempts where ${MOVING} and due_at < ${LONG_AGO}`,
  'I3 no attempt outlives its deadline': sql`
    select id from attempts where ${MOVING} and deadline_at < ${AGO} and due_at < ${AGO}`,
  'I4 counters are the sums of their charges': sql`
    select quota_days.user_id, quota_days.day from quota_days cross join lateral (
      select coalesce(sum(units) filter (where state = 'reserved'), 0)::int as reserved,
        coalesce(sum(units) filter (where state = 'charged'), 0)::int as charged
      from quota_charges as c
      where c.user_id = quota_days.user_id and c.day = quota_days.day and c.epoch = quota_days.epoch) as ledger
    where quota_days.day >= (engine_now() - interval '2 days')::date
      and (quota_days.reserved, quota_days.charged) <> (ledger.reserved, ledger.charged)`,
  'I4 the returned units of a day are those of its charges': sql`
    select quota_days.user_id, quota_days.day from quota_days
    where quota_days.day >= (engine_now() - interval '2 days')::date
      and returned <> (select coalesce(sum(units), 0) from quota_charges as c
        where c.user_id = quota_days.user_id and c.day = quota_days.day and state = 'returned')`,
  'I4 ended generations are settled': sql`
    select videos.id from videos
      join quota_charges as c on c.video_id = videos.id and c.generation = videos.generation
    where videos.deleted_at is null and videos.created_at > engine_now() - interval '2 days' and (
      (status = 'completed' and state <> 'charged' and error_message is null and not exists (
        select 1 from attempts where video_id = videos.id and attempts.generation = videos.generation and late))
      or (status = 'error' and state <> 'returned'))`,
  'I4 a reserved unit belongs to open work': sql`
    select c.video_id, c.generation from quota_charges as c
    where c.state = 'reserved' and c.day >= (engine_now() - interval '2 days')::date
      and not exists (select 1 from line_entries as entry
        where entry.video_id = c.video_id and entry.generation = c.generation)
      and not exists (select 1 from attempts
        where attempts.video_id = c.video_id and attempts.generation = c.generation and ${MOVING})
      and not exists (select 1 from videos
        where videos.id = c.video_id and videos.generation = c.generation and awaits_round)`,
  'I5 no user uses more than was granted': sql`
    select user_id, day, reserved + charged as used, granted_limit from quota_days
    where reserved + charged > granted_limit + gifted and day >= (engine_now() - interval '2 days')::date`,
  'I8 at most one orphan per generation': sql`
    select video_id from attempts where state = 'orphaned' group by video_id, generation having count(*) > 1`,
  'I8 at most one delivery per generation': sql`
    select video_id from attempts where state = 'done' and settled_at > engine_now() - interval '2 days'
    group by video_id, generation having count(*) > 1`,
  'I9 rounds keep their pace': sql`
    select batch_id, round_no from (
      select rounds.batch_id, rounds.round_no, size, fired_at, delay_seconds, speed_limit,
        lag(fired_at) over (partition by rounds.batch_id order by rounds.round_no) as previous
      from rounds join batches on batches.id = rounds.batch_id
      where fired_at > engine_now() - interval '1 hour') as fired
    where size > speed_limit or fired_at - previous < make_interval(secs => delay_seconds)`,
  'I10 exactly one prompt is current if there are any': sql`
    select count(*)::int as prompts, (count(*) filter (where is_current))::int as current from prompts
    having count(*) > 0 and count(*) filter (where is_current) <> 1`,
  'I11 every completed video is stored': sql`
    select id from videos where status = 'completed'
      and (file_key is null or file_sha256 is null or file_bytes is null)`,
  'I13 no order is sent for an ended video': sql`
    select newest.id from ${NEWEST_ATTEMPTS} join batches on batches.id = newest.batch_id
    where batches.status = 'cancelled' and newest.created_at > batches.finished_at`,
  'I13 no order is sent for a deleted account': sql`
    select newest.id from ${NEWEST_ATTEMPTS} join users on users.id = newest.user_id
    where users.deleted_at is not null and newest.created_at > users.deleted_at`,
  'I14 one token of the pool replaces a dead one': sql`
    select later.user_id, later.replaced_id from pool_assignments as later
    where assigned_at > engine_now() - interval '1 day' and exists (
      select 1 from pool_assignments as earlier
      where earlier.user_id = later.user_id and earlier.id < later.id
        and earlier.replaced_id is not distinct from later.replaced_id
        and earlier.assigned_at > later.assigned_at - interval '1 minute')`,
  'I14 the pool gives the token whose turn it is': sql`
    select user_id, credential_id, passed_over from pool_assignments
    where passed_over > 0 and assigned_at > engine_now() - interval '1 day'`,
  'I15 nothing that looks like a token is written down': sql`
    select 'job' as place, id from ${JOB_TEXTS} as jobs where text ~* ${LIKE_A_TOKEN}
    union all
    select 'credential', id::text from credentials where last_error ~* ${LIKE_A_TOKEN}
    union all
    select 'attempt', id::text from attempts where ${MOVING} and evidence::text ~* ${LIKE_A_TOKEN}`,
  'I16 batches add up': sql`
    select batches.id from batches cross join lateral (
      select count(*) filter (where awaits_round)::int as waiting from videos where batch_id = batches.id) as v
    cross join lateral (
      select (select count(*) from line_entries where batch_id = batches.id)
        + (select count(*) from attempts where batch_id = batches.id and ${MOVING} and not late) as moving) as m
    cross join lateral (
      select count(*)::int as carried from carried_prompts where batch_id = batches.id) as c
    where batches.status = 'processing' and gathered_to is null
      and completed_videos + failed_videos + cancelled_videos + v.waiting + m.moving + c.carried <> total_videos`,
  'I16 a batch ends with its last video': sql`
    select id from batches where status = 'processing' and gathered_to is null and created_at < ${AGO}
      and completed_videos + failed_videos + cancelled_videos >= total_videos`,
  'I18 nothing of a paused batch is sent': sql`
    select batches.id from batches where paused_at is not null and status = 'processing' and (
      exists (select 1 from line_entries where batch_id = batches.id)
      or exists (select 1 from attempts where batch_id = batches.id and created_at > paused_at))`,
  'I23 a carried prompt is no video and has no unit': sql`
    select carried.id from carried_prompts as carried
    where exists (select 1 from videos where id = carried.id)
      or exists (select 1 from quota_charges where video_id = carried.id)`,
  'I23 what a batch has admitted has its units': sql`
    select videos.id from batches join videos on videos.batch_id = batches.id
    where batches.status = 'processing' and kind <> 'regeneration' and awaits_round
      and not exists (select 1 from quota_charges as c
        where c.video_id = videos.id and c.generation = videos.generation and c.state = 'reserved'
          and c.units <= batches.clip_units)`,
  'I23 what awaits a round has one': sql`
    select videos.id from batches join videos on videos.batch_id = batches.id
    where batches.status = 'processing' and kind <> 'regeneration' and next_round_at is null and awaits_round`,
  'I23 a batch that carries prompts has a day for them': sql`
    select id from batches where carries_at is not null
      and not exists (select 1 from carried_prompts where batch_id = batches.id)
    union
    select batch_id from carried_prompts join batches on batches.id = batch_id
    where (carries_at is null and status = 'processing') or status not in ('queued', 'processing')`,
  'I23 no day is missed': sql`
    select batches.id from batches join users on users.id = batches.user_id
    where carries_at < ${LONG_AGO} and status = 'processing' and paused_at is null
      and ${MAY_CARRY}`,
  'I24 a batch waits in line only behind a running one': sql`
    select waiting.id from batches as waiting
    where (waiting.status = 'queued') <> (waiting.line_place is not null)
      or (waiting.status = 'queued' and not exists (select 1 from batches as running
        where running.user_id = waiting.user_id and running.status = 'processing'
          and running.kind <> 'regeneration'))`,
  'I24 nothing of a batch in line is ordered': sql`
    select batches.id from batches
    where line_place is not null and (next_round_at is not null or carries_at is not null
      or exists (select 1 from videos where batch_id = batches.id and awaits_round)
      or exists (select 1 from line_entries where batch_id = batches.id)
      or exists (select 1 from attempts where batch_id = batches.id and ${MOVING}))`,
  'I24 a line has five places and no gaps': sql`
    select user_id from batches where line_place is not null group by user_id
    having count(*) > 5 or max(line_place) <> count(*) or count(distinct line_place) <> count(*)`,
  'I17 every event is heard': sql`
    select id, kind from events where at < ${LONG_AGO}`,
  'I19 a payment belongs to a change in force': sql`
    select payments.id, payments.state from payments
    left join bulk_changes on bulk_changes.id = change_id
    left join bulk_change_users as line on line.change_id = payments.change_id
      and line.user_id = payments.user_id
    where ${JUST_DECIDED} and payments.state in ('confirmed', 'refunded') and (line.user_id is null
      or (line.after ? 'expiryDate' and period_to is distinct from (line.after->>'expiryDate')::timestamptz)
      or (payments.state = 'confirmed' and undone_at is not null and not is_skipped))`,
  'I20 the end of a paying account is that of the log': sql`
    select users.id from users cross join lateral (
      select after->>'expiryDate' as expiry from trail_entries
      where subject_id = users.id and after ? 'expiryDate' order by at desc, id desc limit 1) as logged
    where exists (select 1 from payments where user_id = users.id and ${JUST_DECIDED})
      and expiry_date is distinct from expiry::timestamptz`,
  'I21 a payment has the state of the log': sql`
    select payments.id, state from payments
    where ${JUST_DECIDED} and state::text is distinct from (
      select after->>'state' from trail_entries where subject_id = payments.id
      order by at desc, id desc limit 1)`,
  'I22 a reference counts once unless it was seen': sql`
    select reference_key from payments
    where ${JUST_DECIDED} and state in ('confirmed', 'refunded') and not is_repeat_seen and exists (
      select 1 from payments as other where other.reference_key = payments.reference_key
        and other.id <> payments.id and other.state in ('confirmed', 'refunded')
        and other.decided_at <= payments.decided_at and not other.is_repeat_seen)`,
  'I27 what surprised about a payment was ticked': sql`
    select payments.id, surprise from payments join bulk_changes on bulk_changes.id = change_id
    cross join lateral (values ('price', amount < price and method <> 'referral'),
      ('expired', period_to < payments.decided_at - interval '25 hours'
        and created_at > payments.decided_at - interval '1 minute')) as said(surprise, is_so)
    where ${JUST_DECIDED} and payments.state = 'confirmed' and is_so and not exists (
      select 1 from trail_entries where subject_id = payments.id
        and action in ('payment.confirm', 'payment.record') and after->>'seen' like '%' || surprise || '%')`,
  'I28 a used code has one payment, of its terms': sql`
    select codes.id from prepaid_codes as codes
    left join payments on payments.change_id = codes.change_id and method = 'code'
    where codes.state = 'used' and codes.changed_at > engine_now() - interval '1 day'
      and (payments.id is null or period_to - period_from <> make_interval(days => codes.days)
        or (payments.plan, payments.amount, payments.currency) is distinct from (codes.plan, codes.amount, codes.currency))`,
  'I28 a payment by code has its code': sql`
    select payments.id from payments
    where method = 'code' and ${JUST_DECIDED} and not exists (
      select 1 from prepaid_codes as codes where codes.change_id = payments.change_id)`,
  'I29 a reward stands in the book once, as what it cost': sql`
    select payments.id from payments
    where method = 'referral' and ${JUST_DECIDED} and (amount <> 0 or refunded <> 0 or state = 'refunded'
      or (state = 'confirmed' and not exists (select 1 from referrals
        where referrals.change_id = payments.change_id and payments.user_id in (invited_id, inviter_id))))`,
  'I29 a referral and its reward agree': sql`
    select invited_id, referrals.state from referrals
    left join payments on payments.change_id = referrals.change_id and user_id = inviter_id
      and method = 'referral' and payments.state = 'confirmed'
    where referrals.decided_at is null and (referrals.state <> 'waiting' or referrals.change_id is not null)
      or referrals.decided_at > engine_now() - interval '1 day' and (referrals.state = 'waiting'
        or (referrals.state = 'given') <> (payments.id is not null)
        or (days > 0 and period_to - period_from <> make_interval(days => days)))`,
  'galleries count what is there': sql`
    select galleries.user_id from galleries cross join lateral (
      select count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where status = 'generating')::int as generating
      from videos where videos.user_id = galleries.user_id and deleted_at is null
        and status in ('pending', 'generating')) as there
    where (pending_portrait + pending_landscape, generating_portrait + generating_landscape)
      <> (there.pending, there.generating)`,
} as const satisfies Record<string, Sql>

export type InvariantName = keyof typeof INVARIANTS
