import { isId } from '~/lib/ids'
import type { AdminCtx } from '../../context'
import type { Surprise } from '../outcome'
import { userFilterQuery } from '../users/list-schemas'
import { previewBulkChange } from './bulk-change.server'
import type { RenewFrom } from './bulk-schemas'

/** What the renewal of one account will give: its new end, and what surprises. */
export type ForeseenRenewal = { until: string; surprises: Surprise[] }

/** Returns what the renewal of an account will give. Null: it cannot be renewed, or none is asked for. */
export async function foreseeRenewal(
  ctx: AdminCtx,
  { id, from }: { id: string | null; from: RenewFrom | null },
): Promise<ForeseenRenewal | null> {
  if (id === null || !isId(id) || from === null) return null
  const { lines, surprises } = await previewBulkChange(ctx, {
    action: { kind: 'renew', from },
    target: { scope: 'chosen', picked: [id], filters: userFilterQuery.parse({}) },
  })
  const until = lines[0]?.after.expiryDate ?? null
  return until === null ? null : { until, surprises }
}
