import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { ChangeLines } from '~/components/admin/change-lines'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/action-toast'
import { buttonClass } from '~/components/ui/button'
import { EmptyState } from '~/components/ui/empty-state'
import { SubmitButton } from '~/components/ui/submit-button'
import { applyBulkChange, previewBulkChange } from '~/domain/administration/bulk-change.server'
import { deedText } from '~/domain/administration/bulk-rules'
import { bulkDeed, bulkTarget } from '~/domain/administration/bulk-schemas'
import { form, handleForm } from '~/http/forms.server'
import { requireAdmin } from '~/http/guards.server'
import { redirectWithToast } from '~/http/toast.server'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/text'
import { pageTitle } from '~/lib/title'

export const meta: MetaFunction = () => [{ title: pageTitle('Change users') }]

/** Whom and what, from the address. The plan of a filter does not stand in the way of the deed's. */
function readOrder({ url }: Request) {
  const { searchParams } = new URL(url)
  const given = Object.fromEntries(searchParams)
  const deed = bulkDeed.safeParse(given)
  const target = bulkTarget.parse({ ...given, ids: searchParams.getAll('ids') })
  return { deed, target }
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { deed, target } = readOrder(request)
  const nobody = target.scope === 'chosen' && target.ids.length === 0
  if (!deed.success || nobody) {
    const description = deed.success
      ? 'Tick the users first.'
      : (deed.error.issues[0]?.message ?? 'Say what to change.')
    throw await redirectWithToast(paths.admin.users, {
      ...{ kind: 'error', title: 'Nothing to change', description },
    })
  }
  const preview = await previewBulkChange(ctx, { deed: deed.data, target })
  return json({ ...preview, text: deedText(deed.data), timeZone: ctx.settings.timeZone })
}

const orderForm = z.object({ expected: z.number().int().min(0) })

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  return handleForm(
    { request, context },
    {
      apply: form('Failed to update users', orderForm, async ({ expected }) => {
        const { deed, target } = readOrder(request)
        const order = { deed: bulkDeed.parse(deed.data), target }
        const { changeId, count } = await applyBulkChange(ctx, order, expected)
        return redirectWithToast(paths.admin.change(changeId), {
          ...{ kind: 'success', title: 'Users updated' },
          description: `${deedText(order.deed)}: ${plural(count, 'user')}.`,
        })
      }),
    },
  )
}

export default function ChangePreviewPage() {
  const { lines, count, text, timeZone } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-4">
      <h1 className="text-lg font-semibold sm:text-xl">
        {text}: {plural(count, 'user')}
      </h1>
      {count === 0 ? (
        <EmptyState text="There is nobody this would change." />
      ) : (
        <>
          <p className="text-sm text-soft">
            Nothing is written yet. It can be taken back afterwards.
          </p>
          <ActionForm intent="apply" className="flex flex-wrap gap-2">
            <input type="hidden" name="expected" value={count} />
            <SubmitButton intent="apply">Apply to {plural(count, 'user')}</SubmitButton>
            <Link to={paths.admin.users} className={buttonClass('plain')}>
              Cancel
            </Link>
          </ActionForm>
          <ChangeLines {...{ lines, count, timeZone }} />
        </>
      )}
      <ActionToast toast={failure?.toast} />
    </div>
  )
}
