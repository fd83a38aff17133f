import { stringify } from 'csv-stringify/sync'
import { logActivity } from '../activity/write.server'
import { filtersOf } from '../activity/types'
import type { AdminCtx } from '../context'
import { readPayments } from './list.server'
import { amountText } from './money'
import type { PaymentsQuery } from './schemas'
import type { PaymentView } from './types'

const AT_ONCE = 1000

/**
 * Yields the payments that match the filters as pieces of a CSV file, newest first, with times in UTC.
 * Memory use does not depend on their number. Records the download in the activity log. Returns null if
 * there are none.
 */
export async function exportPayments(
  ctx: AdminCtx,
  query: PaymentsQuery,
): Promise<AsyncGenerator<string> | null> {
  const { after: _, ...filters } = query
  const newest = await readPayments(ctx, filters, AT_ONCE)
  if (newest.length === 0) return null
  await ctx.db.transaction((tx) =>
    logActivity(tx, ctx, { action: 'payments.export', after: filtersOf(query) }),
  )
  return pieces(ctx, filters, newest)
}

async function* pieces(
  ctx: AdminCtx,
  filters: PaymentsQuery,
  newest: PaymentView[],
): AsyncGenerator<string> {
  yield csvOf(newest, { isFirst: true })
  for (let last = newest; last.length === AT_ONCE;) {
    const end = last.at(-1)
    const beyond = end && { at: end.receivedAt, id: end.id }
    last = await readPayments(ctx, { ...filters, ...(beyond && { beyond }) }, AT_ONCE)
    yield csvOf(last, { isFirst: false })
  }
}

function csvOf(payments: readonly PaymentView[], { isFirst }: { isFirst: boolean }): string {
  const rows = payments.map((payment) => ({
    received_at: payment.receivedAt,
    customer: payment.username,
    plan: payment.plan,
    amount: amountText(payment),
    refunded: amountText({ ...payment, amount: payment.refunded }),
    currency: payment.currency,
    method: payment.method,
    reference: payment.reference ?? '',
    state: payment.state,
    reason: payment.reason ?? '',
    period_from: payment.periodFrom ?? '',
    period_to: payment.periodTo ?? '',
    recorded_by: payment.recordedBy ?? 'customer',
    decided_at: payment.decidedAt ?? '',
    decided_by: payment.decidedBy ?? '',
    note: payment.note ?? '',
    cost: payment.cost === null ? '' : amountText({ ...payment, amount: payment.cost }),
    id: payment.id,
  }))
  // Keeps spreadsheets from evaluating a reference that starts like a formula.
  return stringify(rows, { header: isFirst, bom: isFirst, escape_formulas: true })
}
