import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { useMemo } from 'react'
import { z } from 'zod'
import { ChangeLines, type ChangeLine } from '~/components/admin/change-lines'
import { BulkActionFields, type BulkActionValues } from '~/components/admin/bulk-action-fields'
import { PaidFields, paidDefaults, type PaidValues } from '~/components/admin/paid-fields'
import { PageTitle } from '~/components/admin/page-header'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/action-toast'
import { Button, buttonClass } from '~/components/ui/button'
import { Field } from '~/components/ui/field'
import { EmptyState } from '~/components/ui/empty-state'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { applyBulkChange, previewBulkChange } from '~/domain/administration/bulk-change.server'
import { bulkActionText } from '~/domain/administration/bulk-rules'
import { bulkAction, type BulkKind } from '~/domain/administration/bulk-schemas'
import { userTableQuery } from '~/domain/administration/list-schemas'
import { isTooLarge, readUserSelection, TOO_LARGE } from '~/domain/administration/user-selection'
import { sellsTime } from '~/domain/administration/bulk-price'
import { moneyText } from '~/domain/payments/money'
import { paidFields, paidOf } from '~/domain/payments/schemas'
import { listPage, userTableAddress } from '~/domain/administration/user-list'
import { refuseOtherNumber } from '~/http/forms/typed-number.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { newFormKey, readFormKey } from '~/http/forms/idempotency.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { digitsOf } from '~/lib/digits'
import { figure, plural } from '~/lib/figures'
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
  const query = userTableQuery.parse({ ...given, page: searchParams.get('at') ?? '1' })
  const { page: _page, sort: _sort, ...filters } = query
  const selection = readUserSelection(searchParams)
  return { action, target: { ...selection, filters }, query, selection }
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { action, target, query, selection } = readOrder(request)
  const isNobody = target.scope === 'chosen' && target.picked.length === 0
  const back = listPage(query) + userTableAddress(query, selection)
  if (isNobody || isTooLarge(selection)) {
    throw await redirectWithToast(listPage(query) + userTableAddress(query), {
      kind: 'error',
      title: 'Nothing to change',
      description: isNobody ? 'Tick the users first.' : TOO_LARGE,
    })
  }
  if (!action.success) {
    const given = [...new URL(request.url).searchParams]
    return json({ given, errors: action.error.flatten().fieldErrors, back, preview: null })
  }
  const preview = await previewBulkChange(ctx, { action: action.data, target })
  const shown = {
    ...preview,
    text: bulkActionText(action.data),
    formKey: newFormKey(),
    asksNumber: asksNumber(action.data.kind, preview.count),
    asksPaid: sellsTime(action.data.kind),
    // At the desk renewals are paid, as those of one user are.
    isPaid: query.view === 'desk' && action.data.kind === 'renew' && preview.price !== null,
  }
  return json({ preview: shown, back })
}

const orderForm = paidFields.extend({
  expected: z.number().int().min(0),
  typed: z.string().default('').transform(digitsOf),
})

/** Ends the sessions and the unsent work of many, which undo does not bring back. */
const asksNumber = (kind: BulkKind, count: number) => kind === 'disable' && count > 1

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, {
    apply: form('Failed to update users', orderForm, async (input, data) => {
      const { expected, typed } = input
      const { action, target, query } = readOrder(args.request)
      const order = { action: bulkAction.parse(action.data), target, paid: paidOf(input) }
      if (asksNumber(order.action.kind, expected))
        refuseOtherNumber({ typed, expected }, 'Nobody was changed.')
      const { changeId, count } = await applyBulkChange(ctx, order, {
        expected,
        key: readFormKey(data),
      })
      return redirectWithToast(paths.admin.change(changeId) + userTableAddress(query), {
        kind: 'success',
        title: 'Users updated',
        description: `${bulkActionText(order.action)}: ${plural(count, 'user')}.`,
      })
    }),
  })
}

export { unlessUnanswered as shouldRevalidate }

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
    asksNumber: boolean
    asksPaid: boolean
    isPaid: boolean
    price: number | null
  }
  back: string
}

function Preview({ preview, back }: PreviewProps) {
  const { lines, count, text, formKey, asksNumber, asksPaid, isPaid, price } = preview
  const [form, fields] = useActionForm<{ typed: string } & Required<PaidValues>>('apply', {
    defaultValue: paidDefaults(isPaid),
  })
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
          <ActionForm {...form} intent="apply" className="flex flex-wrap items-end gap-2">
            {asksNumber && (
              <div className="basis-full max-w-xs">
                <Field
                  field={fields.typed}
                  label={`Type ${figure(count)} to continue`}
                  inputMode="numeric"
                  autoComplete="off"
                />
              </div>
            )}
            {asksPaid && (
              <div className="basis-full max-w-xl">
                <PaidFields fields={fields} empty={emptyText(price)} />
              </div>
            )}
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

function emptyText(price: number | null): string {
  const text = 'For each user. Empty: the price of each user’s plan'
  return price === null
    ? `${text}.`
    : `${text}, ${moneyText({ amount: price, currency: 'PKR' })} altogether.`
}

type CorrectionProps = {
  /** The submitted fields as pairs of name and value. */
  given: [string, string][]
  errors: Record<string, string[]>
  back: string
}

const ACTION_FIELDS = ['kind', 'from', 'days', 'units', 'plan']

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
