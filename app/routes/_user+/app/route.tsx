import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { CreateScreen } from './create-screen'
import { isForWriting } from './following'
import { workPage } from './work-page'
import { GenerationProgressProvider } from '~/components/gallery/generation-progress'
import { OwnGallery } from '~/components/gallery/own-gallery'
import { useLiveGallery } from '~/components/gallery/use-live-gallery'
import { ActionToast } from '~/components/ui/toasts'
import { Counters } from '~/components/videos/counters'
import { createForms } from '~/http/actions/create-forms.server'
import { readForms } from '~/http/loaders/create-page.server'
import { readCreate } from '~/http/loaders/live.server'
import { handleForm } from '~/http/forms/forms.server'
import { galleryForms } from '~/http/actions/gallery-forms.server'
import { loadGalleryDialog } from '~/http/loaders/gallery.server'
import { requireUser } from '~/http/session/guards.server'
import { REFRESH_SECONDS } from '~/lib/refresh'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta(workPage(data?.work.progress ?? null))

export async function loader({ request, context }: LoaderFunctionArgs) {
  const signedIn = requireUser({ request, context })
  const search = new URL(request.url).searchParams
  const [forms, { headers, ...live }, dialog] = await Promise.all([
    readForms(signedIn, search),
    readCreate(signedIn, request),
    loadGalleryDialog(signedIn.ctx, request),
  ])
  const isWorking = live.gallery.counts.inProgress > 0
  const isFollowing = isWorking && !isForWriting(search)
  const refreshSeconds = isFollowing ? REFRESH_SECONDS : null
  return json({ forms, ...live, dialog, isFollowing, refreshSeconds }, { headers })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, { ...createForms(ctx), ...galleryForms(ctx, args) })
}

// The dialogs use the page's data or fetch the rest themselves.
export { unlessDialog as shouldRevalidate } from '~/components/layout/should-revalidate'

export { clientAction } from '~/components/ui/page-forms'

export default function CreatePage() {
  const data = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const { forms, dialog, isFollowing, gallery, quota, underWay } = data
  const live = useLiveGallery({ page: gallery, quota, work: data.work, ...underWay })
  const work = live.work ?? data.work
  return (
    <GenerationProgressProvider making={live.making} usualMs={live.usualMs}>
      <div className="create-page">
        <ActionToast toast={failure?.toast} />
        <div className="create-head">
          <h1 className="text-lg font-bold tracking-tight sm:text-xl">Create Videos with AI</h1>
          <Counters counts={live.page.counts} />
        </div>
        <CreateScreen
          forms={forms}
          live={live}
          work={work}
          isFollowing={isFollowing}
          failure={failure ?? null}
        />
        <div className="create-gallery">
          <div className={isFollowing ? 'following' : undefined}>
            <OwnGallery
              live={live}
              dialog={dialog}
              title="Your Videos"
              emptyText={
                work.progress
                  ? 'Each video appears here as soon as it is ready.'
                  : 'No videos generated yet. Create your first video above!'
              }
            />
          </div>
        </div>
      </div>
    </GenerationProgressProvider>
  )
}
