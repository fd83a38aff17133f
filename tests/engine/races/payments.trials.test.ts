import { expect, test } from 'vitest'
import { applyBulkChange } from '../../../app/domain/administration/changes/bulk-change.server'
import { confirmClaim } from '../../../app/domain/administration/confirm-claim.server'
import { RENEW_FROM } from '../../../app/domain/administration/changes/bulk-schemas'
import { quickCreateUser } from '../../../app/domain/administration/users/create-user.server'
import { editPaidUser } from '../../../app/domain/administration/changes/edit-paid.server'
import { ALL_SEEN, NO_TICKS } from '../../../app/domain/administration/ticks'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { restoreUser } from '../../../app/domain/administration/users/user-trash.server'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import { recordLatePayment } from '../../../app/domain/administration/changes/late-payment.server'
import { listUnpaid } from '../../../app/domain/administration/changes/sold-acts.server'
import { undoBulkChange } from '../../../app/domain/administration/changes/undo-bulk-change.server'
import type { AdminCtx, VisitorCtx } from '../../../app/domain/context'
import { claimPayment } from '../../../app/domain/payments/claim.server'
import { refundPayment, rejectClaim } from '../../../app/domain/payments/decide.server'
import type { PaidTerms } from '../../../app/domain/payments/schemas'
import { PLAN_NAMES, type PlanName } from '../../../app/domain/plans/types'
import { attempt } from '../../support/engine/actions'
import { useEngine } from '../../support/engine/shared-engine'
import { openRng, SEED, trials, type Rng } from '../../support/engine/trials'
import { findViolations } from '../../support/invariants'

const engine = useEngine()

let address = 0
const visitor = (): VisitorCtx => ({
  ...engine.deps,
  requestId: 'test',
  actor: {
    kind: 'visitor',
    address: `10.${(address >> 8) % 256}.${address++ % 256}.1`,
    device: null,
  },
})

const claim = (phone: string, reference: string | null, plan: PlanName = 'Business') =>
  claimPayment(
    visitor(),
    { plan, reference, method: 'bank', amount: '500', currency: 'PKR', note: null },
    { claimant: { phone }, readScreenshot: () => Promise.resolve(null) },
  )

type Row = { id: string; state: string; change_id: string | null }
const rowsOf = async (usernames: readonly string[]): Promise<Row[]> => {
  const { rows } = await engine.pool.query<Row>(
    'select id, state, change_id from payments where username = any($1) order by id',
    [usernames],
  )
  return rows
}

/** Every surprise is ticked. */
const ALL = ALL_SEEN

const changesOf = async (ids: readonly string[]): Promise<string[]> => {
  const { rows } = await engine.pool.query<{ id: string }>(
    'select distinct change_id as id from bulk_change_users where user_id = any($1) order by id',
    [ids],
  )
  return rows.map(({ id }) => id)
}

/** Confirmed payments with one reference, of which nobody saw that they repeat it. */
async function unseen(): Promise<unknown[]> {
  const { rows } = await engine.pool.query<{ reference_key: string }>(
    `select reference_key from payments
     where state in ('confirmed', 'refunded') and not is_repeat_seen and reference_key is not null
     group by reference_key having count(*) > 1`,
  )
  return rows
}

/** What an administrator may do next, with two customers, a number without an account, and the clock. */
type World = {
  admin: AdminCtx
  rng: Rng
  names: string[]
  ids: string[]
  fresh: string
  /** What an older page of this administrator shows: payments and changes by id. */
  older: { rows: Row[]; changes: string[] }
}

const pick = <T>(rng: Rng, all: readonly T[]): T | undefined => all[rng.below(all.length || 1)]

async function act({ admin, rng, names, ids, fresh, older }: World): Promise<unknown> {
  const references = [null, `${fresh} a`, `${fresh}-B`, `${fresh}b`]
  const reference = pick(rng, references) ?? null
  const isRepeatSeen = rng.below(2) === 0
  const paid: PaidTerms = {
    amount: rng.below(2) === 0 ? null : 1 + rng.below(90_000),
    currency: 'PKR',
    method: 'wallet',
    reference,
    isRepeatSeen,
  }
  const isOlder = rng.below(3) === 0 && older.changes.length > 0
  const page = isOlder ? older : { rows: await rowsOf(names), changes: await changesOf(ids) }
  if (rng.below(3) === 0) Object.assign(older, page)
  const { rows, changes } = page
  const payment = pick(rng, rows)?.id ?? 'none'
  const id = pick(rng, ids) ?? ''
  const plan = pick(rng, PLAN_NAMES) ?? 'Starter'
  const isTicked = rng.below(4) > 0
  const seller = {
    ticks: {
      ...(isTicked ? ALL : NO_TICKS),
      isEnabled: rng.below(3) === 0,
      isRestored: rng.below(3) === 0,
    },
  }
  switch (rng.below(13)) {
    case 10:
      return editUser(admin, { id, isActive: rng.below(2) === 0 })
    case 11:
      return rng.below(2) === 0 ? deleteUser(admin, id) : restoreUser(admin, id)
    case 12:
      return editUser(admin, { id, role: rng.below(2) === 0 ? 'editor' : 'user' })
    case 0:
    case 1:
      return claim(pick(rng, names) ?? fresh, reference, plan)
    case 2:
    case 3:
      return confirmClaim(
        admin,
        { id: payment, how: rng.below(3) === 0 ? 'upgrade' : 'renew', isRepeatSeen },
        seller,
      )
    case 4:
      return rejectClaim(admin, { id: payment, reason: 'No such transfer' })
    case 5: {
      const target = {
        scope: 'chosen' as const,
        picked: rng.below(2) === 0 ? ids : [id],
        filters: userFilterQuery.parse({}),
      }
      const action =
        rng.below(4) === 0
          ? ({ kind: 'change-plan', plan } as const)
          : rng.below(2) === 0
            ? ({ kind: 'add-days', days: 1 + rng.below(40) } as const)
            : ({ kind: 'renew', from: pick(rng, RENEW_FROM) ?? 'later' } as const)
      const expected = target.picked.length
      const isFree = action.kind === 'change-plan' || rng.below(4) === 0
      const order = { action, target, paid: isFree ? null : paid }
      return applyBulkChange(admin, order, { expected, key: undefined, seller })
    }
    case 6:
      return rng.below(3) === 0
        ? quickCreateUser(admin, { phone: fresh, plan, seller }, paid)
        : editPaidUser(admin, { id, plan, expireDays: 1 + rng.below(60), seller }, paid)
    case 7:
      return undoBulkChange(admin, pick(rng, changes) ?? 'none', seller)
    case 8: {
      const unpaid = await listUnpaid(admin.db, { userId: id })
      return recordLatePayment(admin, pick(rng, unpaid)?.id ?? 'none', { paid, seller })
    }
    default:
      return refundPayment(admin, { id: payment, amount: '1', reason: 'Asked for it' })
  }
}

test(`I19-I22: after random claims, confirmations, renewals, undos and refunds by two administrators at once, book, ends and log agree (seed ${SEED})`, async () => {
  const rng = openRng(38)
  const admins = [await engine.admin(), await engine.admin()]
  for (let trial = 0; trial < trials(60, 1000); trial++) {
    const users = [await engine.user(), await engine.user({ plan: 'Business' })]
    await engine.pool.query(
      `update users set expiry_date = engine_now() + interval '9 days' where id = any($1)`,
      [users.map(({ actor }) => actor.id)],
    )
    const fresh = `0344${String(10_000_000 + trial)}`
    const names = [...users.map(({ actor }) => actor.username), fresh]
    const ids = users.map(({ actor }) => actor.id)
    const older = admins.map(() => ({ rows: [], changes: [] }))
    for (let step = 0; step < 12; step++) {
      await Promise.all(
        admins.map((admin, i) =>
          attempt(() => act({ admin, rng, names, ids, fresh, older: older[i]! })),
        ),
      )
      if (rng.below(4) === 0) await engine.clock.move(rng.below(5) * 86_400_000)
    }
    // The claims are heard of.
    await engine.drain()
    expect(await findViolations(engine.pool)).toEqual({})
    expect(await unseen()).toEqual([])
  }
})

test(`a reference that two administrators confirm at the same moment is confirmed once, until somebody has seen it (seed ${SEED})`, async () => {
  const admins = [await engine.admin(), await engine.admin()]
  for (let trial = 0; trial < trials(30, 300); trial++) {
    const users = [await engine.user(), await engine.user()]
    const ids: string[] = []
    for (const [i, { actor }] of users.entries())
      ids.push(await claim(actor.username, i === 0 ? `Once ${trial}` : `ONCE-${trial}`))
    const decided = await Promise.allSettled(
      admins.map((admin, i) =>
        confirmClaim(admin, { id: ids[i]!, how: 'renew', isRepeatSeen: false }, { ticks: ALL }),
      ),
    )
    // Each claim repeats the other one, and nobody has said that this is right.
    expect(decided.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await confirmClaim(
      admins[0]!,
      { id: ids[0]!, how: 'renew', isRepeatSeen: true },
      { ticks: ALL },
    )
    const again = { id: ids[1]!, how: 'renew' } as const
    await expect(
      confirmClaim(admins[1]!, { ...again, isRepeatSeen: false }, { ticks: ALL }),
    ).rejects.toThrow(/Already used by/)
    await confirmClaim(admins[1]!, { ...again, isRepeatSeen: true }, { ticks: ALL })
    expect(await unseen()).toEqual([])
  }
  await engine.drain()
})

test(`A-PAY-1: of two administrators who record the payment of one renewal at the same moment, or undo it, one succeeds (seed ${SEED})`, async () => {
  const rng = openRng(39)
  const [first, second] = [await engine.admin(), await engine.admin()]
  const filters = userFilterQuery.parse({})
  for (let trial = 0; trial < trials(20, 200); trial++) {
    const { actor } = await engine.user()
    await engine.pool.query(
      `update users set expiry_date = engine_now() + interval '9 days' where id = $1`,
      [actor.id],
    )
    const target = { scope: 'chosen', picked: [actor.id], filters } as const
    const { changeId } = await applyBulkChange(
      first,
      { action: { kind: 'renew', from: 'later' }, target, paid: null },
      { expected: 1, key: undefined },
    )
    const reference = rng.below(2) === 0 ? `Late ${trial}` : null
    const paid = { amount: null, currency: 'PKR', method: 'bank', isRepeatSeen: false } as const
    const record = (admin: AdminCtx) =>
      recordLatePayment(admin, `${changeId}.${actor.id}`, { paid: { ...paid, reference } })
    const isUndone = rng.below(3) === 0
    const done = await Promise.allSettled([
      record(first),
      isUndone ? undoBulkChange(second, changeId) : record(second),
    ])
    const [payment, ...more] = await rowsOf([actor.username])
    expect(more).toEqual([])
    expect(await findViolations(engine.pool)).toEqual({})
    if (isUndone) {
      // Undone after it was recorded, the payment is rejected; before, nothing is recorded.
      expect(payment?.state ?? 'none').toBe(done[0].status === 'fulfilled' ? 'rejected' : 'none')
    } else {
      expect(payment?.state).toBe('confirmed')
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const refused = done.find(({ status }) => status === 'rejected')
      expect(String(refused?.status === 'rejected' && refused.reason)).toContain(
        'somebody has recorded its payment already',
      )
    }
  }
})
