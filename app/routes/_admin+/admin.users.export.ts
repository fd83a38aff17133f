import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { proveOneself } from '~/domain/accounts/proof.server'
import { passwordAndCode } from '~/domain/accounts/schemas'
import { exportUsers } from '~/domain/administration/users/export-users.server'
import { userFilterQuery } from '~/domain/administration/users/list-schemas'
import type { AdminCtx } from '~/domain/context'
import { isAppError } from '~/domain/errors'
import { parseForm } from '~/http/forms/form-data.server'
import { OUT_OF_DATE, readCheckedForm } from '~/http/forms/form-token.server'
import { renewedCookie } from '~/http/actions/sign-in.server'
import { requireAdmin } from '~/http/session/guards.server'
import { textFile } from '~/http/endpoints/text-file.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { dayIn } from '~/lib/time'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, now } = requireAdmin({ request, context })
  return sendFile(ctx, { request, now, tokens: 'masked' })
}

/**
 * Exports the same file with tokens in clear text, for an administrator who has entered the
 * password again.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, now, token } = requireAdmin({ request, context })
  const { data, isOutOfDate } = await readCheckedForm({ request, context })
  if (isOutOfDate) return askOnceMore(OUT_OF_DATE)
  const parsed = parseForm(passwordAndCode, data)
  if (!parsed.ok) return askOnceMore(Object.values(parsed.error)[0]?.[0] ?? 'Type your password')
  const { password, ...typed } = parsed.value
  try {
    await proveOneself(ctx, { ownPassword: password, ...typed })
  } catch (error) {
    if (!isAppError(error)) throw error
    return askOnceMore(error.message)
  }
  const headers = await renewedCookie(ctx, token)
  return sendFile(ctx, { request, now, tokens: 'clear', headers })
}

/** Leads back to the dialog, which says why nothing was downloaded. */
function askOnceMore(description: string) {
  const toast = { kind: 'error', title: 'Download failed', description } as const
  return redirectWithToast(paths.admin.users + dialogAddress('', 'export-tokens'), toast)
}

type File = { request: Request; now: Date; tokens: 'masked' | 'clear'; headers?: Headers }

async function sendFile(ctx: AdminCtx, { request, now, tokens, headers = new Headers() }: File) {
  const query = userFilterQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  const lines = await exportUsers(ctx, { query, tokens })
  if (!lines) {
    const toast = {
      kind: 'error',
      title: 'No data to download',
      description: 'There are no users in the system.',
    } as const
    return redirectWithToast(paths.admin.users, toast, headers)
  }
  const day = dayIn(ctx.settings.timeZone, now)
  return textFile(lines, { name: `users-${day}.txt`, type: 'text/plain', headers })
}
