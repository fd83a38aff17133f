import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useLocation, useRevalidator } from '@remix-run/react'
import type { MouseEvent } from 'react'
import { SummaryStrip } from './summary-strip'
import { HoldNotes } from '~/components/gallery/hold-notes'
import { KeptNote } from '~/components/gallery/kept-note'
import { GenerationProgressProvider } from '~/components/gallery/generation-progress'
import { OwnGallery } from '~/components/gallery/own-gallery'
import { isRefreshPaused, RefreshHint } from './refresh-hint'
import { useLiveGallery } from '~/components/gallery/use-live-gallery'
import { ActionToast } from '~/components/ui/toasts'
import { ButtonLink, buttonClass } from '~/components/ui/button'
import { Icon } from '~/components/ui/icon'
import { Counters } from '~/components/videos/counters'
import { getSummary } from '~/domain/administration/overview/summary.server'
import { getKeeping } from '~/domain/videos/keeping.server'
import { isSought } from '~/domain/videos/rules'
import type { StatusFilter } from '~/domain/videos/types'
import { handleForm } from '~/http/forms/forms.server'
import { steerForms } from '~/http/actions/batch-forms.server'
import { galleryForms, pageOf } from '~/http/actions/gallery-forms.server'
import { loadGalleryDialog } from '~/http/loaders/gallery.server'
import { readVideos } from '~/http/loaders/live.server'
import { requireAdmin, requireUser } from '~/http/session/guards.server'
import { closedAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { REFRESH_SECONDS } from '~/lib/refresh'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('My Videos')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const signedIn = requireUser({ request, context })
  const { ctx, account } = signedIn
  const [{ gallery, quota, underWay, headers }, dialog] = await Promise.all([
    readVideos(signedIn, request),
    loadGalleryDialog(ctx, request),
  ])
  // Administrators who make no videos have the overview.
  const hasVideos = gallery.counts.total > 0 || isSought(gallery.filters)
  const summary =
    account.role === 'admin' && hasVideos
      ? await getSummary(requireAdmin({ request, context }).ctx)
      : null
  const keeping = await getKeeping(
    ctx,
    gallery.videos.map(({ id }) => id),
  )
  const isWorking = gallery.counts.inProgress > 0
  const isFollowing = isWorking && !isRefreshPaused(new URL(request.url).searchParams)
  const refreshSeconds = isFollowing ? REFRESH_SECONDS : null
  return json(
    {
      gallery,
      keeping,
      dialog,
      quota,
      underWay,
      summary,
      isWorking,
      isFollowing,
      refreshSeconds,
    },
    { headers },
  )
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  const steer = steerForms(ctx, () => pageOf(args.request))
  return handleForm(args, { ...galleryForms(ctx, args), ...steer })
}

// The dialogs use the page's data or fetch the rest themselves.
export { unlessDialog as shouldRevalidate } from '~/components/layout/should-revalidate'

export { clientAction } from '~/components/ui/page-forms'

const TITLES = {
  all: 'All videos',
  completed: 'Completed videos',
  pending: 'Pending videos',
  error: 'Failed videos',
  cancelled: 'Cancelled videos',
} as const satisfies Record<StatusFilter, string>

export default function DashboardPage() {
  const data = useLoaderData<typeof loader>()
  const { gallery, keeping, dialog, quota, underWay, summary, isWorking, isFollowing } = data
  const { search } = useLocation()
  const failure = useActionData<typeof action>()
  const live = useLiveGallery({ page: gallery, quota, work: null, ...underWay })
  return (
    <div className="space-y-3 sm:space-y-6">
      <ActionToast toast={failure?.toast} />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h1 className="text-lg font-semibold sm:text-2xl">My Videos</h1>
        <RefreshLink />
      </div>
      {summary && <SummaryStrip summary={summary} />}
      <Counters counts={live.page.counts} />
      {keeping && <KeptNote keeping={keeping} />}
      {live.holds.length > 0 && <HoldNotes {...live} />}
      {isWorking && <RefreshHint search={search} isFollowing={isFollowing} />}
      <div className={isFollowing ? 'following' : undefined}>
        <GenerationProgressProvider making={live.making} usualMs={live.usualMs}>
          <OwnGallery
            live={live}
            dialog={dialog}
            keeping={keeping}
            title={TITLES[live.page.filters.status]}
            emptyText="No videos generated yet."
            emptyAction={<ButtonLink to={paths.app}>Generate Video</ButtonLink>}
          />
        </GenerationProgressProvider>
      </div>
    </div>
  )
}

/**
 * Reloads the page: a link without scripts, only its data with scripts. On narrow screens the top bar has it.
 */
function RefreshLink() {
  const { revalidate, state } = useRevalidator()
  const { search } = useLocation()
  const refresh = (event: MouseEvent) => {
    event.preventDefault()
    revalidate()
  }
  return (
    <Link
      to={closedAddress(search)}
      onClick={refresh}
      className={buttonClass('plain', 'max-md:hidden')}
    >
      <Icon
        name="refresh-cw"
        className={`size-4 ${state === 'loading' ? 'motion-safe:animate-spin' : ''}`}
      />
      Refresh
    </Link>
  )
}
