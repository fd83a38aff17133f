import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { useMemo } from 'react'
import { z } from 'zod'
import { ChangeLines, type ChangeLine } from '~/components/admin/change-lines'
import { BulkActionFields, type BulkActionValues } from '~/components/admin/bulk-action-fields'
import { PageTitle } from '~/components/admin/page-header'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/action-toast'
import { Button, buttonClass } from '~/components/ui/button'
import { EmptyState } from '~/components/ui/empty-state'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { applyBulkChange, previewBulkChange } from '~/domain/administration/bulk-change.server'
import { bulkActionText } from '~/domain/administration/bulk-rules'
import { bulkAction, bulkTarget, type BulkTarget } from '~/domain/administration/bulk-schemas'
import { form, handleForm } from '~/http/forms/forms.server'
import { newFormKey, readFormKey } from '~/http/forms/idempotency.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Change users')

/**
 * Reads the target users and the action from the URL. The filter's plan does not replace the
 * action's plan.
 */
function readOrder({ url }: Request) {
  const { searchParams } = new URL(url)
  const given = Object.fromEntries(searchParams)
  const action = bulkAction.safeParse(given)
  const target = bulkTarget.parse({ ...given, ids: searchParams.getAll('ids') })
  return { action, target }
}

/** Returns the URL of the users page with the filter of the bulk change. */
function filteredUsers({ search, role, status, filter }: BulkTarget): string {
  const query = new URLSearchParams({ search, role, status, ...(filter && { filter }) })
  return `${paths.admin.users}?${query}`
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { action, target } = readOrder(request)
  const back = filteredUsers(target)
  if (target.scope === 'chosen' && target.ids.length === 0) {
    throw await redirectWithToast(back, {
      kind: 'error',
      title: 'Nothing to change',
      description: 'Tick the users first.',
    })
  }
  if (!action.success) {
    const given = [...new URL(request.url).searchParams]
    return json({ given, errors: action.error.flatten().fieldErrors, back, preview: null })
  }
  const preview = await previewBulkChange(ctx, { action: action.data, target })
  const shown = { ...preview, text: bulkActionText(action.data), formKey: newFormKey() }
  return json({ preview: shown, back })
}

const orderForm = z.object({ expected: z.number().int().min(0) })

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, {
    apply: form('Failed to update users', orderForm, async ({ expected }, data) => {
      const { action, target } = readOrder(args.request)
      const order = { action: bulkAction.parse(action.data), target }
      const { changeId, count } = await applyBulkChange(ctx, order, {
        expected,
        key: readFormKey(data),
      })
      return redirectWithToast(paths.admin.change(changeId), {
        kind: 'success',
        title: 'Users updated',
        description: `${bulkActionText(order.action)}: ${plural(count, 'user')}.`,
      })
    }),
  })
}

export default function ChangePreviewPage() {
  const data = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-4">
      <ActionToast toast={failure?.toast} />
      {data.preview ? (
        <Preview preview={data.preview} back={data.back} />
      ) : (
        <Correction given={data.given} errors={data.errors} back={data.back} />
      )}
    </div>
  )
}

type PreviewProps = {
  preview: {
    lines: ChangeLine[]
    count: number
    text: string
    formKey: string
  }
  back: string
}

function Preview({ preview: { lines, count, text, formKey }, back }: PreviewProps) {
  return (
    <>
      <PageTitle>
        {text}: {plural(count, 'user')}
      </PageTitle>
      {count === 0 ? (
        <>
          <EmptyState text="This would not change any user." />
          <BackLink to={back}>Back to the users</BackLink>
        </>
      ) : (
        <>
          <p className="text-sm text-soft">Nothing is written yet. It can be undone afterwards.</p>
          <ActionForm intent="apply" className="flex flex-wrap gap-2">
            <input type="hidden" name="expected" value={count} />
            <input type="hidden" name="formKey" value={formKey} />
            <SubmitButton intent="apply">Apply to {plural(count, 'user')}</SubmitButton>
            <BackLink to={back}>Cancel</BackLink>
          </ActionForm>
          <ChangeLines lines={lines} count={count} />
        </>
      )}
    </>
  )
}

type CorrectionProps = {
  /** The submitted fields as pairs of name and value. */
  given: [string, string][]
  errors: Record<string, string[]>
  back: string
}

const ACTION_FIELDS = ['kind', 'days', 'units', 'plan']

/** Shows the bulk change again with its errors. Its target users remain selected. */
function Correction({ given, errors, back }: CorrectionProps) {
  const lastResult = useMemo(
    () => ({ status: 'error', initialValue: Object.fromEntries(given), error: errors }) as const,
    [given, errors],
  )
  const [form, fields] = useActionForm<BulkActionValues>('bulk', { lastResult })
  return (
    <>
      <PageTitle>Change several users</PageTitle>
      <p className="text-sm text-soft">
        Nothing is written yet: please check what you entered. The users stay chosen.
      </p>
      <Form {...form} className="max-w-sm space-y-4">
        {given
          .filter(([name]) => !ACTION_FIELDS.includes(name))
          .map(([name, value]) => (
            <input key={`${name}:${value}`} type="hidden" name={name} value={value} />
          ))}
        <BulkActionFields fields={fields} />
        <div className="flex flex-wrap gap-2">
          <Button>Preview</Button>
          <BackLink to={back}>Cancel</BackLink>
        </div>
      </Form>
    </>
  )
}

const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className={buttonClass('plain')}>
    {children}
  </Link>
)
