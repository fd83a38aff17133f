import type { LoaderFunctionArgs } from '@remix-run/node'
import { exportPayments } from '~/domain/payments/export.server'
import { paymentsQuery } from '~/domain/payments/schemas'
import { heavyReads } from '~/http/endpoints/one-at-a-time.server'
import { textFile } from '~/http/endpoints/text-file.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { dayIn } from '~/lib/time'

/** Exports the book of payments as a file, with the filters of its page. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, now } = requireAdmin({ request, context })
  const { search, searchParams } = new URL(request.url)
  const query = paymentsQuery.parse(Object.fromEntries(searchParams))
  const pieces = await heavyReads(() => exportPayments(ctx, query))
  if (!pieces) {
    return redirectWithToast(paths.admin.payments + search, {
      kind: 'error',
      title: 'No data to download',
      description: 'No payments match these filters.',
    })
  }
  const day = dayIn(ctx.settings.timeZone, now)
  return textFile(pieces, { name: `payments-${day}.csv`, type: 'text/csv' })
}
