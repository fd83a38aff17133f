import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { PageHeader } from '~/components/admin/page-header'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { Icon } from '~/components/ui/icon'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import type { SetupStep } from '~/domain/health/setup'
import { getSetup } from '~/domain/health/setup.server'
import { getSoldBreakEvens } from '~/domain/payments/break-even.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { figure } from '~/lib/figures'
import { pageMeta } from '~/lib/title'
import { setupForms } from './route.server'

export const meta: MetaFunction = () => pageMeta('Set-up')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  return json({ steps: await getSetup(ctx, await getSoldBreakEvens(ctx)) })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, setupForms(requireAdmin(args).ctx))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** What has to be set up before selling, what of it is missing, and where it is set. */
export default function SetupPage() {
  const { steps } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const doneCount = steps.filter(({ isDone }) => isDone).length
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Set-up"
        note={`${figure(doneCount)} of ${figure(steps.length)} done. The environment is read when the product starts.`}
      />
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {steps.map((step) => (
          <StepCard key={step.title} step={step} />
        ))}
      </ul>
    </div>
  )
}

function StepCard({ step: { title, isDone, text, to, where, verb, byHand } }: { step: SetupStep }) {
  const intent = isDone ? 'mark-open' : 'mark-done'
  const mark = isDone ? 'Mark as not done' : 'Mark as done'
  return (
    <li className="space-y-2 rounded-lg border border-line bg-surface p-4">
      <div className="flex items-center justify-between gap-2 tiny:flex-wrap">
        <h2 className="text-base font-semibold">{title}</h2>
        <span
          className={`inline-flex shrink-0 items-center gap-1.5 text-sm font-medium ${isDone ? 'text-good' : 'text-warn'}`}
        >
          <Icon name={isDone ? 'circle-check' : 'circle-dashed'} className="size-4" />
          {isDone ? 'Done' : 'To do'}
        </span>
      </div>
      <p className="break-words text-sm">{text}</p>
      {where !== null && (
        <p className="text-sm text-soft">
          {verb}{' '}
          {to === null ? (
            where
          ) : (
            <Link to={to} className={`${textLinkClass} -my-3`}>
              {where}
            </Link>
          )}
          .
        </p>
      )}
      {byHand !== null && (
        <ActionForm intent={intent} preventScrollReset>
          <HiddenFields fields={{ step: byHand }} />
          <SubmitButton intent={intent} look="plain" aria-label={`${mark}: ${title}`}>
            {mark}
          </SubmitButton>
        </ActionForm>
      )}
    </li>
  )
}
