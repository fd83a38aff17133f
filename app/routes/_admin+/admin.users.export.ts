import type { LoaderFunctionArgs } from '@remix-run/node'
import { createReadableStreamFromReadable } from '@remix-run/node'
import { Readable } from 'node:stream'
import { exportUsers } from '~/domain/administration/export-users.server'
import { userFilterQuery } from '~/domain/administration/list-schemas'
import { requireAdmin } from '~/http/guards.server'
import { redirectWithToast } from '~/http/toast.server'
import { paths } from '~/lib/paths'
import { dayIn } from '~/lib/time'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, now } = requireAdmin({ request, context })
  const query = userFilterQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  const lines = await exportUsers(ctx, query)
  if (!lines) {
    return redirectWithToast(paths.admin.users, {
      ...{ kind: 'error', title: 'No data to download' },
      description: 'There are no users in the system.',
    })
  }
  const day = dayIn(ctx.settings.timeZone, now)
  return new Response(createReadableStreamFromReadable(Readable.from(lines)), {
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': `attachment; filename="users-${day}.txt"`,
      'Cache-Control': 'no-store',
    },
  })
}
