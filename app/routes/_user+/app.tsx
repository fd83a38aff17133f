import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { PlainToast } from '~/components/ui/toaster'
import { Counters } from '~/components/videos/counters'
import { Gallery } from '~/components/videos/gallery'
import { QuotaCard } from '~/components/videos/quota-card'
import { StatusCard } from '~/components/videos/status-card'
import { TextToVideoForm } from '~/components/videos/text-to-video-form'
import { useLiveGallery } from '~/components/videos/use-live-gallery'
import { getQuota } from '~/domain/quota/queries.server'
import { generateVideo } from '~/domain/videos/generate-video.server'
import { countVideos, findVideo, getCounts, listVideos } from '~/domain/videos/queries.server'
import { generateVideoInput, videoListQuery } from '~/domain/videos/schemas'
import { form, handleForm } from '~/http/forms.server'
import { newFormKey, readFormKey } from '~/http/idempotency.server'
import { requireUser } from '~/http/guards.server'
import { redirectWithToast } from '~/http/toast.server'
import { paths } from '~/lib/paths'
import { pageTitle } from '~/lib/title'

const REFRESH_SECONDS = 5

export const meta: MetaFunction = () => [{ title: pageTitle('Create') }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, account } = requireUser({ request, context })
  const search = new URL(request.url).searchParams
  const query = videoListQuery.parse({ page: search.get('page') ?? undefined, scope: 'mine' })
  const quotaOf = { userId: account.id, limit: account.videoLimit, timeZone: ctx.settings.timeZone }
  const [videos, pagination, { counts, version }, quota, tracked] = await Promise.all([
    listVideos(ctx, query),
    countVideos(ctx, query),
    getCounts(ctx.db, account.id),
    getQuota(ctx.db, quotaOf),
    findVideo(ctx, search.get('watch')),
  ])
  const isWorking = counts.inProgress > 0
  const isPaused = search.has('pause')
  return json({
    ...{ videos, pagination, counts, version, quota, tracked, isWorking, isPaused },
    formKey: newFormKey(),
    prompt: search.get('prompt') ?? '',
    refreshSeconds: isWorking && !isPaused ? REFRESH_SECONDS : null,
  })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  return handleForm(
    { request, context },
    {
      generate: form('Generation failed', generateVideoInput, async (input, data) => {
        const { id } = await generateVideo(ctx, input, readFormKey(data))
        return redirectWithToast(paths.watch(id), { kind: 'success', title: 'Generation started' })
      }),
    },
  )
}

export default function CreatePage() {
  const data = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const { videos, pagination, counts, quota, tracked, version } = data
  const watched =
    tracked ?? videos.find(({ status }) => status === 'pending' || status === 'generating') ?? null
  useLiveGallery({ version, isWorking: data.isWorking })
  return (
    <div className="space-y-6">
      <h1 className="text-xl font-semibold sm:text-2xl">Create Videos with AI</h1>
      <Counters counts={counts} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="space-y-6">
          <TextToVideoForm
            // A new order starts with an empty form.
            key={tracked?.id}
            formKey={data.formKey}
            prompt={data.prompt}
            failure={failure ?? null}
            isWorking={data.isWorking}
            isPaused={data.isPaused}
          />
          <QuotaCard quota={quota} />
        </div>
        <StatusCard video={watched} />
      </div>
      <Gallery videos={videos} pagination={pagination} />
      {failure && <PlainToast toast={failure.toast} />}
    </div>
  )
}
