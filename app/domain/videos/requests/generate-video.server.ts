import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import { excerpt } from '~/lib/text'
import type { Tx } from '~/platform/db/port'
import { requireGoodStanding } from '../../accounts/standing.server'
import { takeTrialUnits } from '../../accounts/trial.server'
import type { UserCtx } from '../../context'
import { oncePerKey } from '../../idempotency.server'
import { charging, refuseUnits, reserving } from '../../quota/charges.server'
import { LABEL_CHARACTERS } from '../../quota/rules'
import type { ChargeReason } from '../../quota/types'
import { enterLine } from '../line.server'
import { ORDER_COLUMNS, orderValues } from '../order-columns.server'
import { videoReceipt, type GenerateVideoInput, type VideoReceipt } from '../schemas'
import { LANES } from '../types'

/**
 * Accepts one video. Quota, row, ledger line and job are written in one transaction. With a `key`,
 * a repeated request is accepted only once. Throws NO_ACTIVE_PLAN, ACCOUNT_EXPIRED, QUOTA_EXCEEDED,
 * or CONFLICT if the key was used for a different request.
 */
export async function generateVideo(
  ctx: UserCtx,
  input: GenerateVideoInput,
  key?: string,
): Promise<VideoReceipt> {
  const order = { key, request: ['generate', input], result: videoReceipt }
  return oncePerKey(ctx, order, (tx) => acceptVideo(ctx, tx, { ...input, reason: 'generate' }))
}

type NewVideo = GenerateVideoInput & { reason: Extract<ChargeReason, 'generate' | 'edit'> }

/** Like `generateVideo`, within the caller's transaction. */
export async function acceptVideo(ctx: UserCtx, tx: Tx, input: NewVideo): Promise<VideoReceipt> {
  const account = await requireGoodStanding(ctx, tx)
  const { id: userId, videoLimit: limit, clipUnits: each } = account
  const id = newId()
  const charge = { videoId: id, generation: 1, label: excerpt(input.prompt, LABEL_CHARACTERS) }
  const request = { userId, limit, clips: 1, each, timeZone: ctx.settings.timeZone }
  const accepted = await tx.run(sql`
    with gallery as materialized (
      select user_id from galleries where user_id = ${userId} for update
    ), reserved as (${reserving(request)}
    ), charged as (${charging({ userId, reason: input.reason, each, charges: [charge] }, sql`reserved`)})
    insert into videos (id, user_id, prompt, ${ORDER_COLUMNS}, model, seed, created_at, request_id)
    select ${id}, user_id, ${input.prompt}, ${orderValues({ ...input, name: input.name ?? null })},
      ${ctx.provider.model}, floor(random() * 2147483647)::int, engine_now(), ${ctx.requestId}
    from gallery cross join reserved`)
  if (accepted === 0) await refuseUnits(tx, request)
  await takeTrialUnits(ctx, tx, { network: account.trialNetwork, units: each })
  await enterLine(tx, ctx.queue, { videoId: id, generation: 1, userId, lane: LANES.single })
  return { id }
}
