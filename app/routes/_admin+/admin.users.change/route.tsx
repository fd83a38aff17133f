import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { useMemo } from 'react'
import { ChangeLines, type ChangeLine } from '~/components/admin/users/change-lines'
import {
  BulkActionFields,
  type BulkActionValues,
} from '~/components/admin/users/bulk-action-fields'
import {
  PaidFields,
  paidDefaults,
  useLastPaid,
  type PaidValues,
} from '~/components/admin/payments/paid-fields'
import { SurpriseTicks, type TickValues } from '~/components/admin/payments/surprise-ticks'
import type { Surprise } from '~/domain/administration/outcome'
import { PageTitle } from '~/components/admin/page-header'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { Button, buttonClass } from '~/components/ui/button'
import { Field } from '~/components/ui/field'
import { EmptyState } from '~/components/ui/empty-state'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { previewBulkChange } from '~/domain/administration/changes/bulk-change.server'
import { bulkActionText } from '~/domain/administration/changes/bulk-rules'
import { isTooLarge, TOO_LARGE } from '~/domain/administration/users/user-selection'
import { sellsTime } from '~/domain/administration/changes/bulk-price'
import { moneyText } from '~/domain/payments/money'
import { listPage, userTableAddress } from '~/domain/administration/users/user-list'
import { handleForm } from '~/http/forms/forms.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { figure, plural } from '~/lib/figures'
import { pageMeta } from '~/lib/title'
import { asksNumber, changeForms, readOrder } from './route.server'

export const meta: MetaFunction = () => pageMeta('Change users')

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
  }
  return json({ preview: shown, back })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, changeForms(ctx, args.request))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

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
    price: number | null
    surprises: Surprise[]
  }
  back: string
}

function Preview({ preview, back }: PreviewProps) {
  const { lines, count, text, formKey, asksNumber, asksPaid, price, surprises } = preview
  const [form, fields] = useActionForm<{ typed: string } & Required<PaidValues> & TickValues>(
    'apply',
    { defaultValue: paidDefaults(useLastPaid()) },
  )
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
            <div className="basis-full max-w-xl">
              <SurpriseTicks
                fields={fields}
                surprises={surprises}
                instead={{ disabled: asksPaid }}
              />
            </div>
            <input type="hidden" name="expected" value={count} />
            <input type="hidden" name="formKey" value={formKey} />
            <div className="flex basis-full flex-wrap gap-2">
              <SubmitButton intent="apply">Apply to {plural(count, 'user')}</SubmitButton>
              <BackLink to={back}>Cancel</BackLink>
            </div>
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
