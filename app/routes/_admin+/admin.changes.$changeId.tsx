import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useRevalidator } from '@remix-run/react'
import { z } from 'zod'
import { ChangeLines } from '~/components/admin/users/change-lines'
import { PageTitle } from '~/components/admin/page-header'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/action-toast'
import { buttonClass } from '~/components/ui/button'
import { SubmitButton } from '~/components/ui/submit-button'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { useReturn } from '~/components/ui/use-return'
import { CHANGE_NAMES, TOLD_OF } from '~/domain/administration/changes/bulk-rules'
import { sellsTime } from '~/domain/administration/changes/bulk-price'
import { userTableQuery } from '~/domain/administration/users/list-schemas'
import {
  getBulkChange,
  undoBulkChange,
} from '~/domain/administration/changes/undo-bulk-change.server'
import { listPage, userTableAddress } from '~/domain/administration/users/user-list'
import { isAppError } from '~/domain/errors'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { dayTimeAndZone } from '~/lib/time'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Change')

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  try {
    const query = userTableQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    const list = listPage(query) + userTableAddress(query)
    return json({ ...(await getBulkChange(ctx, params.changeId ?? '')), list })
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') throw json(null, 404)
    throw error
  }
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  const id = args.params.changeId ?? ''
  return handleForm(args, {
    undo: form('Failed to undo the change', z.object({}), async () => {
      const { restored, left } = await undoBulkChange(ctx, id)
      const rest = left === 0 ? '' : ` ${plural(left, 'user')} changed since and left alone.`
      return redirectWithToast(paths.admin.change(id) + new URL(args.request.url).search, {
        kind: 'success',
        title: 'Change undone',
        description: `${plural(restored, 'user')} as before.${rest}`,
      })
    }),
  })
}

export { unlessUnanswered as shouldRevalidate }

export default function ChangePage() {
  const change = useLoaderData<typeof loader>()
  // The chats open in other tabs, and note there that the customer was written to.
  useReturn(useRevalidator().revalidate)
  const timeZone = usePlatformZone()
  const failure = useActionData<typeof action>()
  const isSale = change.undoneAt === null && sellsTime(change.kind)
  const unpaid = isSale ? change.count - change.payments : 0
  return (
    <div className="space-y-4">
      <ActionToast toast={failure?.toast} />
      <header>
        <PageTitle>
          {CHANGE_NAMES[change.kind]}: {plural(change.count, 'user')}
        </PageTitle>
        <p className="text-sm text-soft">
          {change.actorName}, {dayTimeAndZone(change.createdAt, timeZone)}
          {change.undoneAt && `; undone ${dayTimeAndZone(change.undoneAt, timeZone)}`}
        </p>
        {change.payments > 0 && (
          <p className="text-sm text-soft">
            {plural(change.payments, 'payment')} recorded. If this change is undone, they are marked
            as rejected.
          </p>
        )}
        {unpaid > 0 && (
          <p className="text-sm text-warn">
            <Link to={paths.admin.unpaid} className="underline">
              {plural(unpaid, 'renewal')} without a payment
            </Link>
          </p>
        )}
      </header>
      <div className="flex flex-wrap gap-2">
        {!change.undoneAt && (
          <ActionForm intent="undo">
            <SubmitButton intent="undo" look="plain">
              Undo
            </SubmitButton>
          </ActionForm>
        )}
        <Link to={change.list} className={buttonClass('plain')}>
          {change.list.startsWith(paths.admin.renewals) ? 'Back to Renewals' : 'Back to all users'}
        </Link>
      </div>
      <ChangeLines
        lines={change.lines}
        count={change.count}
        tells={change.undoneAt === null ? TOLD_OF[change.kind] : undefined}
      />
    </div>
  )
}
