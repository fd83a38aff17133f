import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { CreateScreen } from '~/components/create/create-screen'
import { ActionToast } from '~/components/ui/action-toast'
import { Counters } from '~/components/videos/counters'
import { Gallery } from '~/components/videos/gallery'
import { useLiveGallery } from '~/components/videos/use-live-gallery'
import { countVideos, getCounts, listVideos } from '~/domain/videos/queries.server'
import { videoListQuery } from '~/domain/videos/schemas'
import { createForms } from '~/http/create-forms.server'
import { readCreatePage } from '~/http/create-page.server'
import { handleForm } from '~/http/forms.server'
import { requireUser } from '~/http/guards.server'
import { pageTitle } from '~/lib/title'

const REFRESH_SECONDS = 5

export const meta: MetaFunction = () => [{ title: pageTitle('Create') }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const signedIn = requireUser({ request, context })
  const { ctx, account } = signedIn
  const search = new URL(request.url).searchParams
  const query = videoListQuery.parse({ page: search.get('page') ?? undefined, scope: 'mine' })
  const [create, videos, pagination, { counts, version }] = await Promise.all([
    readCreatePage(signedIn, search),
    listVideos(ctx, query),
    countVideos(ctx, query),
    getCounts(ctx.db, account.id),
  ])
  const isWorking = counts.inProgress > 0
  const isPaused = search.has('pause')
  return json({
    ...{ create, videos, pagination, counts, version, isWorking, isPaused },
    refreshSeconds: isWorking && !isPaused ? REFRESH_SECONDS : null,
  })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  return handleForm({ request, context }, createForms(ctx))
}

export default function CreatePage() {
  const data = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const { create, videos, pagination, counts, version, isWorking, isPaused } = data
  useLiveGallery({ version, isWorking })
  return (
    <div className="space-y-6">
      <h1 className="text-xl font-semibold sm:text-2xl">Create Videos with AI</h1>
      <Counters counts={counts} />
      <CreateScreen
        data={create}
        failure={failure ?? null}
        isReloading={isWorking}
        isPaused={isPaused}
      />
      <Gallery videos={videos} pagination={pagination} />
      <ActionToast toast={failure?.toast} />
    </div>
  )
}
