import fc from 'fast-check'
import { applyBulkChange } from '../../../app/domain/administration/changes/bulk-change.server'
import { RENEW_FROM } from '../../../app/domain/administration/changes/bulk-schemas'
import {
  changePlan,
  changeReferral,
  giveRoute,
} from '../../../app/domain/administration/change-business.server'
import { editPaidUser } from '../../../app/domain/administration/changes/edit-paid.server'
import { recordLatePayment } from '../../../app/domain/administration/changes/late-payment.server'
import { listUnpaid } from '../../../app/domain/administration/changes/sold-acts.server'
import { undoBulkChange } from '../../../app/domain/administration/changes/undo-bulk-change.server'
import { confirmClaim } from '../../../app/domain/administration/confirm-claim.server'
import {
  helperRegenerate,
  helperRenew,
} from '../../../app/domain/administration/helpers/helper-acts.server'
import { helperConfirm } from '../../../app/domain/administration/helpers/helper-claims.server'
import { setHelperRights } from '../../../app/domain/administration/helpers/helpers.server'
import { toEntry } from '../../../app/domain/administration/imports/import-rules'
import { importUsers } from '../../../app/domain/administration/imports/import-users.server'
import { NO_TICKS } from '../../../app/domain/administration/ticks'
import { deleteUser } from '../../../app/domain/administration/users/delete-users.server'
import { editUser } from '../../../app/domain/administration/users/edit-user.server'
import { userFilterQuery } from '../../../app/domain/administration/users/list-schemas'
import {
  resetAllCounters,
  resetUserCounters,
} from '../../../app/domain/administration/users/reset-user-counters.server'
import { restoreUser } from '../../../app/domain/administration/users/user-trash.server'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import {
  regenerateAll,
  regenerateSelected,
} from '../../../app/domain/batches/regenerate-as-admin.server'
import { RIGHTS, type HelperCtx, type Right, type VisitorCtx } from '../../../app/domain/context'
import { claimPayment } from '../../../app/domain/payments/claim.server'
import { refundPayment, rejectClaim } from '../../../app/domain/payments/decide.server'
import type { PaidTerms } from '../../../app/domain/payments/schemas'
import { DEFAULT_PLANS } from '../../../app/domain/plans/catalogue'
import { PLAN_NAMES } from '../../../app/domain/plans/types'
import { batchesOf, often, step, userAt, videoOf, which, who, type World } from './world'

const ALL_TICKS = {
  ...NO_TICKS,
  seenRole: true,
  seenTrash: true,
  seenDisabled: true,
  seenExpired: true,
  seenPlan: true,
  seenPrice: true,
  seenReward: true,
}

/** How somebody sells: with which ticks, what was paid, and from which page. */
type Sale = { isTicked: boolean; isPaid: boolean; days: number; plan: number }
const sale = fc.record({
  isTicked: fc.boolean(),
  isPaid: fc.boolean(),
  days: fc.constantFrom(1, 30, 400),
  plan: fc.nat({ max: PLAN_NAMES.length - 1 }),
})
const ticksOf = ({ isTicked }: Sale) => (isTicked ? ALL_TICKS : NO_TICKS)
const planOf = ({ plan }: Sale) => PLAN_NAMES[plan]!
const paidOf = ({ isPaid }: Sale): PaidTerms | null =>
  isPaid
    ? { amount: null, currency: 'PKR', method: 'wallet', reference: null, isRepeatSeen: false }
    : null

/** What one of the two administrators does to one of the users. */
const sells = (
  name: string,
  act: (
    world: World,
    by: { admin: World['admins'][number]; id: string; sale: Sale },
  ) => Promise<unknown>,
) =>
  step(name, fc.tuple(fc.nat({ max: 1 }), who, sale), (world, [by, index, given]) =>
    act(world, { admin: world.admins[by]!, id: userAt(world, index).actor.id, sale: given }),
  )

async function paymentsOf({ engine }: World, id: string) {
  const { rows } = await engine.pool.query<{ id: string; changeId: string | null }>(
    `select payments.id, change_id as "changeId" from payments
     join users on users.username = payments.username where users.id = $1 order by payments.id`,
    [id],
  )
  return rows
}

/** Acts on the newest payment of a user, if there is one. */
const onPayment = (
  name: string,
  act: (
    world: World,
    by: { admin: World['admins'][number]; id: string; sale: Sale },
  ) => Promise<unknown>,
) =>
  sells(name, async (world, by) => {
    const newest = (await paymentsOf(world, by.id)).at(-1)
    if (newest) await act(world, { ...by, id: newest.id })
  })

const chosen = (id: string) => ({
  scope: 'chosen' as const,
  picked: [id],
  filters: userFilterQuery.parse({}),
})

/** The helper with the rights that are stored at the moment, as the guard reads them; null: none. */
async function helperNow({ engine, helper }: World): Promise<HelperCtx | null> {
  const { rows } = await engine.pool.query<{ rights: Right[] }>(
    `select rights from helper_rights join users on users.id = user_id
     where user_id = $1 and role = 'editor' and is_active and deleted_at is null`,
    [helper.actor.id],
  )
  const [row] = rows
  return row ? { ...helper, actor: { ...helper.actor, rights: row.rights, proof: 'recent' } } : null
}

const byHelper = (
  name: string,
  act: (ctx: HelperCtx, by: { world: World; id: string; sale: Sale }) => Promise<unknown>,
) =>
  step(name, fc.tuple(who, sale), async (world, [index, given]) => {
    const ctx = await helperNow(world)
    if (ctx) await act(ctx, { world, id: userAt(world, index).actor.id, sale: given })
  })

/** Two administrators and a helper sell, take back, lock and regenerate; customers say that they have paid. */
export const accountSteps = [
  ...often(
    sells('sell days', (_world, { admin, id, sale: given }) =>
      applyBulkChange(
        admin,
        {
          action: { kind: 'renew', from: RENEW_FROM[given.plan % 3]! },
          target: chosen(id),
          paid: paidOf(given),
        },
        { expected: 1, key: undefined, seller: { ticks: ticksOf(given) } },
      ),
    ),
  ),
  sells('sell a plan', (_world, { admin, id, sale: given }) =>
    editPaidUser(
      admin,
      { id, plan: planOf(given), expireDays: given.days, seller: { ticks: ticksOf(given) } },
      paidOf(given),
    ),
  ),
  sells('undo the last sale', async ({ engine }, { admin, id, sale: given }) => {
    const { rows } = await engine.pool.query<{ id: string }>(
      `select change_id as id from bulk_change_users where user_id = $1 order by change_id desc limit 1`,
      [id],
    )
    for (const change of rows) await undoBulkChange(admin, change.id, { ticks: ticksOf(given) })
  }),
  sells('add the payment afterwards', async (_world, { admin, id, sale: given }) => {
    const [unpaid] = await listUnpaid(admin.db, { userId: id })
    const paid = paidOf({ ...given, isPaid: true })
    if (unpaid && paid)
      await recordLatePayment(admin, unpaid.id, { paid, seller: { ticks: ticksOf(given) } })
  }),
  step('claim', fc.tuple(who, sale), (world, [index, given]) => {
    const { actor } = userAt(world, index)
    const visitor: VisitorCtx = {
      ...world.engine.deps,
      requestId: 'history',
      actor: { kind: 'visitor', address: '10.9.9.9', device: null },
    }
    const reported = {
      plan: planOf(given),
      method: 'bank',
      amount: '500',
      currency: 'PKR',
    } as const
    return claimPayment(
      visitor,
      { ...reported, reference: null, note: null },
      { claimant: { account: actor }, readScreenshot: () => Promise.resolve(null) },
    )
  }),
  onPayment('confirm', (_world, { admin, id, sale: given }) =>
    confirmClaim(
      admin,
      { id, how: given.days === 1 ? 'upgrade' : 'renew', isRepeatSeen: true },
      { ticks: ticksOf(given) },
    ),
  ),
  onPayment('reject', (_world, { admin, id }) =>
    rejectClaim(admin, { id, reason: 'No such transfer' }),
  ),
  onPayment('refund', (_world, { admin, id }) =>
    refundPayment(admin, { id, amount: '1', reason: 'Asked for it' }),
  ),
  step('import', fc.tuple(who, sale), (world, [index, given]) => {
    const { username } = userAt(world, index).actor
    const line = {
      username,
      password: '[HASHED]',
      plan: planOf(given),
      expireDays: `${given.days}`,
    }
    return importUsers(world.admins[0]!, [toEntry(line)], {
      changesRoles: false,
      ticks: ticksOf(given),
    })
  }),
  sells('disable', (_world, { admin, id }) => editUser(admin, { id, isActive: false })),
  sells('enable', (_world, { admin, id }) => editUser(admin, { id, isActive: true })),
  sells('change the limits', (_world, { admin, id, sale: given }) =>
    editUser(admin, { id, videoLimit: given.days % 25, speedLimit: 1 + given.plan }),
  ),
  sells('promote or demote', (_world, { admin, id, sale: given }) =>
    editUser(admin, { id, role: given.isTicked ? 'editor' : 'user' }),
  ),
  sells('delete the account', (_world, { admin, id, sale: given }) =>
    // Seldom: nothing else happens to this user until they are restored.
    given.isTicked && given.isPaid ? deleteUser(admin, id) : Promise.resolve(),
  ),
  sells('restore the account', (_world, { admin, id }) => restoreUser(admin, id)),
  sells('reset a counter', (_world, { admin, id }) => resetUserCounters(admin, id)),
  sells('reset all counters', (_world, { admin, sale: given }) =>
    given.isTicked && given.isPaid ? resetAllCounters(admin) : Promise.resolve(),
  ),
  sells('expire', (_world, { admin, id }) =>
    editUser(admin, { id, expireDays: 0, renewFromToday: true }),
  ),
  step('give rights', fc.subarray([...RIGHTS]), ({ admins: [admin], helper }, rights) =>
    setHelperRights(admin!, {
      id: helper.actor.id,
      rights,
      regeneratePerDay: 9,
      confirmUpTo: 2_000,
      codesUpTo: 9_000,
      confirmCurrency: 'PKR',
    }),
  ),
  step('demote the helper', fc.boolean(), ({ admins: [admin], helper }, isBack) =>
    editUser(admin!, { id: helper.actor.id, role: isBack ? 'editor' : 'user' }),
  ),
  byHelper('helper sells days', (ctx, { id, sale: given }) =>
    helperRenew(ctx, { id, key: undefined, paid: paidOf(given), ticks: ticksOf(given) }),
  ),
  byHelper('helper confirms', async (ctx, { world, id, sale: given }) => {
    const newest = (await paymentsOf(world, id)).at(-1)
    if (newest) await helperConfirm(ctx, { id: newest.id, how: 'renew' }, ticksOf(given))
  }),
  byHelper('helper regenerates', (ctx, { id }) => helperRegenerate(ctx, id)),
  step('regenerate as admin', fc.tuple(who, which), async (world, [user, video]) =>
    regenerateSelected(world.admins[0]!, [await videoOf(world, userAt(world, user), video)]),
  ),
  step('regenerate everything', fc.constant(null), ({ admins: [admin] }) => regenerateAll(admin!)),
  step(
    'another number of units for a video',
    fc.nat({ max: 4 }),
    async ({ admins: [admin] }, more) => {
      await changePlan(admin!, 'Professional', {
        ...DEFAULT_PLANS.Professional,
        clipUnits: 1 + more,
      })
      await giveRoute(admin!, 'Professional')
    },
  ),
  step('be invited', fc.tuple(who, who), async (world, [one, other]) => {
    const [invited, inviter] = [userAt(world, one).actor.id, userAt(world, other).actor.id]
    await world.engine.pool.query(
      `insert into referrals (invited_id, inviter_id, registered_at)
       select $1::uuid, $2::uuid, engine_now() where $1::uuid <> $2::uuid on conflict do nothing`,
      [invited, inviter],
    )
  }),
  step('set the referral', fc.tuple(who, sale), ({ admins: [admin] }, [perMonth, given]) =>
    changeReferral(
      admin!,
      given.isPaid
        ? { unit: given.isTicked ? 'days' : 'videos', amount: given.days, perMonth: perMonth + 1 }
        : null,
    ),
  ),
  step('stop the administrator’s', fc.constant(null), async (world) => {
    const [admin] = world.admins
    for (const id of await batchesOf(world, admin!)) await cancelBatch(admin!, id)
  }),
]
