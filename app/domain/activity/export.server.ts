import { stringify } from 'csv-stringify/sync'
import type { AdminCtx } from '../context'
import { logActivity } from './write.server'
import { readActivity } from './list.server'
import type { ActivityQuery } from './schemas'
import { ACTIVITY_ACTIONS, filtersOf, type ActivityFacts } from './types'

const AT_ONCE = 500

type Entries = Awaited<ReturnType<typeof readActivity>>

/**
 * Yields all entries that match the filters as pieces of a CSV file, newest first, with times in
 * UTC. Memory use does not depend on their number. Records the download in the activity log. Returns
 * null if there are no entries.
 */
export async function exportActivity(
  ctx: AdminCtx,
  query: ActivityQuery,
): Promise<AsyncGenerator<string> | null> {
  const { after: _, ...filters } = query
  const newest = await readActivity(ctx, filters, AT_ONCE)
  if (newest.length === 0) return null
  await ctx.db.transaction((tx) =>
    logActivity(tx, ctx, { action: 'log.export', after: filtersOf(query) }),
  )
  return pieces(ctx, filters, newest)
}

async function* pieces(
  ctx: AdminCtx,
  filters: ActivityQuery,
  newest: Entries,
): AsyncGenerator<string> {
  yield csvOf(newest, { isFirst: true })
  for (let last = newest; last.length === AT_ONCE;) {
    const beyond = last.at(-1)
    last = await readActivity(ctx, { ...filters, ...(beyond && { beyond }) }, AT_ONCE)
    yield csvOf(last, { isFirst: false })
  }
}

function csvOf(entries: Entries, { isFirst }: { isFirst: boolean }): string {
  const rows = entries.map((entry) => ({
    at: entry.at.toISOString(),
    done_by: entry.actorName,
    action: entry.action,
    meaning: ACTIVITY_ACTIONS[entry.action],
    target_kind: entry.subjectKind ?? '',
    target: entry.subjectName ?? '',
    target_id: entry.subjectId ?? '',
    count: entry.count,
    before: factsOf(entry.before),
    after: factsOf(entry.after),
  }))
  // Keeps spreadsheets from evaluating a name that starts like a formula.
  return stringify(rows, { header: isFirst, bom: isFirst, escape_formulas: true })
}

const factsOf = (facts: ActivityFacts | null) => (facts === null ? '' : JSON.stringify(facts))
