import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { BatchCard } from '~/components/batches/batch-card'
import { RetryDialog } from '~/components/batches/retry-dialog'
import { useBatchNews } from '~/components/batches/use-batch-news'
import { ActionToast } from '~/components/ui/toasts'
import { ButtonLink } from '~/components/ui/button'
import { CursorPages } from '~/components/ui/cursor-pages'
import { EmptyState } from '~/components/ui/empty-state'
import { listBatchPage } from '~/domain/batches/batch-list.server'
import { databaseNow } from '~/domain/clock.server'
import { getQuota } from '~/domain/quota/queries.server'
import { batchForms } from '~/http/actions/batch-forms.server'
import { handleForm } from '~/http/forms/forms.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { requireUser } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { REFRESH_SECONDS } from '~/lib/refresh'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Batches')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, account } = requireUser({ request, context })
  const before = new URL(request.url).searchParams.get('before')
  const quota = { userId: account.id, limit: account.videoLimit, timeZone: ctx.settings.timeZone }
  const [{ batches, next }, { remaining }, now] = await Promise.all([
    listBatchPage(ctx, before),
    getQuota(ctx.db, quota),
    databaseNow(ctx.db),
  ])
  const isRunning = batches.some(({ status }) => status === 'processing')
  const refreshSeconds = isRunning ? REFRESH_SECONDS : null
  const isFirst = before === null
  return json({
    batches,
    next,
    remaining,
    isFirst,
    isRunning,
    now,
    formKey: newFormKey(),
    refreshSeconds,
  })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, batchForms(ctx, args.request))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function BatchesPage() {
  const { batches, next, remaining, isFirst, isRunning, now, formKey } =
    useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  useBatchNews(isRunning)
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold sm:text-2xl">Batches</h1>
        {batches.length > 0 && <ButtonLink to={paths.create('bulk')}>New batch</ButtonLink>}
      </div>
      {batches.length === 0 ? (
        <EmptyState text="No batches yet. Paste a list of prompts, and they are made one round after another.">
          <ButtonLink to={paths.create('bulk')}>Open the Bulk Generator</ButtonLink>
        </EmptyState>
      ) : (
        <ul className="space-y-3">
          {batches.map((batch) => (
            <li key={batch.id}>
              <BatchCard batch={batch} now={new Date(now)} />
            </li>
          ))}
        </ul>
      )}
      <CursorPages
        first={isFirst ? null : { to: paths.batches, label: 'Newest' }}
        next={next === null ? null : { to: paths.batchesBefore(next), label: 'Older' }}
      />
      <RetryDialog batches={batches} formKey={formKey} remaining={remaining} />
    </div>
  )
}
