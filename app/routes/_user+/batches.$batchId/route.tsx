import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { BatchActions } from '~/components/batches/batch-actions'
import { BatchName } from '~/components/batches/batch-name'
import { BatchState } from '~/components/batches/batch-card'
import { BatchVideos } from './batch-videos'
import { LineForms } from '~/components/batches/line-forms'
import { CancelledPrompts } from './cancelled-prompts'
import { deliveryColumns, stepInWords } from './delivery-columns'
import { DeliveryChart } from './delivery-chart'
import { RenameForm } from './rename-form'
import { RetryDialog } from '~/components/batches/retry-dialog'
import { EDIT_PROMPT } from './edit-prompt'
import { WaitingBatch, WaitingPrompts } from './waiting-prompts'
import { useBatchNews } from '~/components/batches/use-batch-news'
import { LineNote } from '~/components/batches/waiting-notes'
import { stackBars } from '~/components/charts/stack-bars.server'
import { ActionToast } from '~/components/ui/toasts'
import { DayTime } from '~/components/ui/day-time'
import { StatCards } from '~/components/ui/stat-cards'
import { useAppBadge } from '~/components/ui/use-app-badge'
import { textLinkClass } from '~/components/ui/text-link'
import { getBatchSummary, listBatchVideos } from '~/domain/batches/batch-list.server'
import { countDeliveries } from '~/domain/batches/deliveries'
import { readDeliveries } from '~/domain/batches/deliveries.server'
import type { BatchSummary } from '~/domain/batches/types'
import { listWaitingPrompts } from '~/domain/batches/waiting-prompts.server'
import { databaseNow } from '~/domain/clock.server'
import type { UserCtx } from '~/domain/context'
import { isAppError } from '~/domain/errors'
import { getQuota } from '~/domain/quota/queries.server'
import { batchForms } from '~/http/actions/batch-forms.server'
import { handleForm } from '~/http/forms/forms.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { requireUser } from '~/http/session/guards.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { REFRESH_SECONDS } from '~/lib/refresh'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  if (!data) return pageMeta('Batch')
  const { name, totalVideos: total, inProgress } = data.batch
  return pageMeta(data.isWorking ? `(${total - inProgress}/${total}) ${name}` : name)
}

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx, account } = requireUser({ request, context })
  const batch = await findBatch(ctx, params.batchId ?? '')
  if (!batch) throw json(null, 404)
  const { timeZone } = ctx.settings
  const [videos, waiting, times, { remaining }, now] = await Promise.all([
    listBatchVideos(ctx, batch.id),
    listWaitingPrompts(ctx, batch.id),
    readDeliveries(ctx, batch.id),
    getQuota(ctx.db, { userId: account.id, limit: account.videoLimit, timeZone }),
    databaseNow(ctx.db),
  ])
  const { stepMs, spans } = countDeliveries(Date.parse(batch.createdAt), times)
  const columns = deliveryColumns({ stepMs, spans }, timeZone)
  const chart =
    spans.length === 0 ? null : { drawing: stackBars(columns), step: stepInWords(stepMs) }
  const isWorking = ['queued', 'processing'].includes(batch.status) || batch.inProgress > 0
  // Nothing is reloaded under somebody who types.
  const isTyping = new URL(request.url).searchParams.has(EDIT_PROMPT)
  const refreshSeconds = isWorking && !isTyping ? REFRESH_SECONDS : null
  return json({
    batch,
    videos,
    waiting,
    chart,
    remaining,
    isWorking,
    now,
    formKey: newFormKey(),
    refreshSeconds,
  })
}

async function findBatch(ctx: UserCtx, id: string): Promise<BatchSummary | null> {
  try {
    return await getBatchSummary(ctx, id)
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return null
    throw error
  }
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, batchForms(ctx, args.request))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function BatchPage() {
  const { batch, videos, waiting, chart, remaining, isWorking, now, formKey } =
    useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  useBatchNews(isWorking)
  useAppBadge('batch', isWorking ? batch.inProgress : 0)
  const { id, name, createdAt, totalVideos, cancelled } = batch
  const cancelledVideos = videos.filter(({ cell }) => cell === 'c')
  const unsent = new Set(waiting.map((prompt) => prompt.id))
  const shown = videos.filter((video) => video.cell !== 'c' && !unsent.has(video.id))
  return (
    <div className="flex flex-col gap-6">
      <ActionToast toast={failure?.toast} />
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link to={paths.batches} className={`${textLinkClass} basis-full text-sm`}>
          All batches
        </Link>
        <h1 className="min-w-0 text-xl font-semibold [overflow-wrap:anywhere] sm:text-2xl">
          <BatchName batch={batch} />
        </h1>
        <BatchState batch={batch} />
        <p className="basis-full text-sm tabular-nums text-soft">
          {/* The time is shorter once it is the reader's, so nothing stands after it. */}
          {plural(totalVideos, 'prompt')} · <DayTime instant={createdAt} />
        </p>
        {batch.inLine && (
          <p className="basis-full text-sm tabular-nums">
            <LineNote inLine={batch.inLine} now={new Date(now)} />
          </p>
        )}
        <RenameForm batchId={id} name={name} />
      </header>
      {/* On a phone the clips come first. */}
      <div className="max-md:order-last">
        <StatCards label="This batch" stats={statsOf(batch)} />
      </div>
      {batch.inLine && <LineForms batchId={id} inLine={batch.inLine} />}
      <BatchActions batch={batch} isApart />
      {cancelled > 0 && (
        <CancelledPrompts batch={batch} videos={cancelledVideos} remaining={remaining} />
      )}
      <WaitingBatch batch={batch} prompts={waiting} now={new Date(now)} />
      <section aria-labelledby="videos" className="space-y-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id="videos" className="text-lg font-semibold">
            Videos
          </h2>
          {shown.length > 0 && (
            <Link to={paths.batchVideos(id)} className={`${textLinkClass} text-sm`}>
              Select, delete or filter them
            </Link>
          )}
        </div>
        {shown.length === 0 ? (
          <p className="text-sm text-soft">{noVideos(batch, waiting.length)}</p>
        ) : (
          <BatchVideos videos={shown} />
        )}
        {videos.length < totalVideos - batch.gone - (batch.carried?.prompts ?? 0) && (
          <p className="text-sm text-soft">
            These are the first {videos.length}. The link above leads to all.
          </p>
        )}
      </section>
      <WaitingPrompts batch={batch} prompts={waiting} videos={videos} now={new Date(now)} />
      {chart && <DeliveryChart {...chart} />}
      <RetryDialog batches={[batch]} formKey={formKey} remaining={remaining} />
    </div>
  )
}

function noVideos({ cancelled }: BatchSummary, waiting: number): string {
  if (waiting > 0) return 'No prompt has been sent yet.'
  return cancelled > 0 ? 'No video of this batch was made.' : 'All its videos were deleted.'
}

/** The states that matter to this batch, and its cost. */
function statsOf(batch: BatchSummary) {
  const { ready, inProgress, waiting, failed, cancelled, gone, chargedUnits } = batch
  const carried = batch.carried?.prompts ?? 0
  const optional = [
    { label: 'In Progress', value: inProgress - waiting },
    { label: 'Waiting', value: batch.inLine ? carried : waiting },
    { label: 'For Later Days', value: batch.inLine ? 0 : carried },
    { label: 'Cancelled', value: cancelled },
    { label: 'Deleted', value: gone },
  ].filter(({ value }) => value > 0)
  return [
    { label: 'Ready', value: ready },
    { label: 'Failed', value: failed },
    ...optional,
    { label: chargedUnits === 1 ? 'Video charged' : 'Videos charged', value: chargedUnits },
  ]
}
