import sql from 'sql-template-tag'
import { seconds } from '~/lib/time'
import type { AdminCtx } from '~/domain/context'
import { checkPoolToken } from './check-pool-token.server'
import type { TokenFilter } from './desk-rules'
import { IS_LISTED } from './token-desk.server'
import { credentialState } from './state.server'

const AT_ONCE = 8
/** No test begins later than this, so that the page answers in time. */
const BEGIN_WITHIN_MS = seconds(20)

type CheckAllReceipt = { works: number; failed: number; left: number }

/**
 * Tests all tokens in a state, several at once, those without an error first tested last. What is not begun within
 * 20 s is left.
 */
export async function checkAllTokens(
  ctx: AdminCtx,
  state: TokenFilter['state'],
): Promise<CheckAllReceipt> {
  const rows = await ctx.db.rows<{ id: string }>(sql`
    select id from credentials
    where ${IS_LISTED} and (${state} = 'all' or ${credentialState} = ${state})
    order by last_error_at desc nulls last, number`)
  const startedAt = performance.now()
  const receipt = { works: 0, failed: 0, left: 0 }
  const rest = rows.values()
  const work = async () => {
    for (const { id } of rest) {
      if (performance.now() - startedAt > BEGIN_WITHIN_MS) receipt.left++
      else if ((await checkPoolToken(ctx, id)).works) receipt.works++
      else receipt.failed++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return receipt
}
