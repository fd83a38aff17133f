import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportActivity } from '~/domain/activity/export.server'
import { activityQuery } from '~/domain/activity/schemas'
import { noMatchText } from '~/domain/activity/types'
import { heavyReads } from '~/http/endpoints/one-at-a-time.server'
import { textFile } from '~/http/endpoints/text-file.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { dayIn } from '~/lib/time'

/** Exports the activity log as a file, with the filters of its page. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, now } = requireAdmin({ request, context })
  const { search, searchParams } = new URL(request.url)
  const query = activityQuery.parse(Object.fromEntries(searchParams))
  const pieces = await heavyReads(() => exportActivity(ctx, query))
  if (!pieces) {
    return redirectWithToast(paths.admin.activityLog + search, {
      kind: 'error',
      title: 'No data to download',
      description: noMatchText(query),
    })
  }
  const day = dayIn(ctx.settings.timeZone, now)
  return textFile(pieces, { name: `activity-log-${day}.csv`, type: 'text/csv' })
}
