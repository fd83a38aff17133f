import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useRevalidator } from '@remix-run/react'
import { z } from 'zod'
import { SurpriseTicks, type TickValues } from '~/components/admin/payments/surprise-ticks'
import { ChangeLines } from '~/components/admin/users/change-lines'
import { PageTitle } from '~/components/admin/page-header'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { buttonClass } from '~/components/ui/button'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { useReturn } from '~/components/ui/use-return'
import { CHANGE_NAMES, TOLD_OF } from '~/domain/administration/changes/bulk-rules'
import { sellsTime } from '~/domain/administration/changes/bulk-price'
import { TICKS } from '~/domain/administration/ticks'
import { USER_RULES } from '~/domain/administration/rules'
import { userTableQuery } from '~/domain/administration/users/list-schemas'
import { nowText } from '~/domain/administration/changes/changed-users.server'
import {
  getBulkChange,
  undoBulkChange,
  type BulkChangeView,
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
    undo: form('Failed to undo the change', z.object(TICKS), async (ticks) => {
      const { restored, left } = await undoBulkChange(ctx, id, { ticks })
      const rest = left === 0 ? '' : ` ${plural(left, 'user')} changed since and left alone.`
      const now = restored.length === 1 ? ` ${await nowText(ctx, restored)}` : ''
      return redirectWithToast(paths.admin.change(id) + new URL(args.request.url).search, {
        kind: 'success',
        title: 'Change undone',
        description: `${plural(restored.length, 'user')} as before.${rest}${now}`,
      })
    }),
  })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

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
        {unpaid > 0 && (
          <p className="text-sm text-warn">
            <Link to={paths.admin.unpaid} className="underline">
              {plural(unpaid, 'renewal')} without a payment
            </Link>
          </p>
        )}
      </header>
      <div className="flex flex-col items-start gap-2">
        {!change.undoneAt && <UndoForm change={change} />}
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

type Undoable = Pick<BulkChangeView, 'kind' | 'payments' | 'surprises'>

/** Says what an undo takes away, with the ticks that it needs. */
function UndoForm({ change }: { change: Undoable }) {
  const { kind, payments, surprises } = change
  const [form, fields] = useActionForm<TickValues>('undo')
  return (
    <ActionForm {...form} intent="undo" className="max-w-xl space-y-2">
      {(kind === 'create' || kind === 'import') && (
        <p className="text-sm text-soft">
          If it is undone, the accounts that it created go to the trash for {USER_RULES.trashDays}{' '}
          days.
        </p>
      )}
      {payments > 0 && kind !== 'refer' && (
        <p className="text-sm text-soft">
          {plural(payments, 'payment')} recorded, which an undo marks as rejected. A prepaid code
          stays used: make another one if the customer needs it.
        </p>
      )}
      <SurpriseTicks fields={fields} surprises={surprises} />
      <SubmitButton intent="undo" look="plain">
        Undo
      </SubmitButton>
    </ActionForm>
  )
}
