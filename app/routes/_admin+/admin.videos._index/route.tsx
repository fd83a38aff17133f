import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import {
  Link,
  useActionData,
  useLoaderData,
  useRevalidator,
  type ShouldRevalidateFunctionArgs,
} from '@remix-run/react'
import { AllVideosGallery } from './all-videos-gallery'
import { AllVideosRuns } from '~/components/admin/videos/all-videos-runs'
import { PageHeader } from '~/components/admin/page-header'
import { isOnlyGalleryDialog } from './keep-data'
import { GenerationProgressProvider } from '~/components/gallery/generation-progress'
import { ActionToast } from '~/components/ui/toasts'
import { buttonClass } from '~/components/ui/button'
import { StatCards } from '~/components/ui/stat-cards'
import { shouldRevalidate as mayReload } from '~/components/ui/page-forms'
import { usePolling } from '~/components/ui/use-polling'
import { listRegenerations } from '~/domain/batches/cancel-regeneration.server'
import { findMassChange } from '~/domain/videos/admin/mass-change.server'
import { getAllVideosPage } from '~/domain/videos/admin/all-videos-list.server'
import { listOwners } from '~/domain/videos/admin/all-videos-counts.server'
import { allVideosQuery } from '~/domain/videos/admin/all-videos-schemas'
import { getProgressOf } from '~/domain/videos/gallery/progress.server'
import type { GalleryCounts } from '~/domain/videos/types'
import { handleForm } from '~/http/forms/forms.server'
import { loadGalleryDialog } from '~/http/loaders/gallery.server'
import { requireAdmin } from '~/http/session/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { REFRESH_SECONDS } from '~/lib/refresh'
import { pageMeta } from '~/lib/title'
import { allVideosForms } from './route.server'

export const meta: MetaFunction = () => pageMeta('All Platform Videos')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, now } = requireAdmin({ request, context })
  const search = new URL(request.url).searchParams
  const query = allVideosQuery.parse(Object.fromEntries(search))
  const withStarred = readDialog(search).name === 'delete-all'
  const [platform, owners, dialog, change, runs] = await Promise.all([
    getAllVideosPage(ctx, query, { withStarred }),
    listOwners(ctx, query),
    loadGalleryDialog(ctx, request),
    findMassChange(ctx),
    listRegenerations(ctx),
  ])
  const shown = platform.gallery.videos.map(({ id }) => id)
  const { making, usualMs } = await getProgressOf(ctx, shown)
  const isChanging = change?.finishedAt === null || runs.length > 0
  const isLive = platform.counts.inProgress > 0 || isChanging
  const refreshSeconds = isLive ? REFRESH_SECONDS : null
  return json({
    ...platform,
    now: now.toISOString(),
    owners,
    dialog,
    change,
    runs,
    making,
    usualMs,
    isLive,
    refreshSeconds,
  })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  return handleForm(args, allVideosForms(ctx, args.request))
}

export { clientAction } from '~/components/ui/page-forms'

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return isOnlyGalleryDialog(args) ? false : mayReload(args)
}

const statsOf = (counts: GalleryCounts) => [
  { label: 'Total Videos', value: counts.total },
  { label: 'Completed', value: counts.completed },
  { label: 'Generating', value: counts.inProgress },
  { label: 'Failed', value: counts.failed },
  ...(counts.cancelled > 0 ? [{ label: 'Cancelled', value: counts.cancelled }] : []),
  { label: 'Portrait', value: counts.portrait.total },
  { label: 'Landscape', value: counts.landscape.total },
]

export default function AllVideosRoute() {
  const { counts, change, runs, making, usualMs, isLive, ...list } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const { revalidate } = useRevalidator()
  const showsProgress = making.length > 0
  // The poll's response changes with any video of any user. The page then reloads its own data; while
  // it shows progress, which changes no video, it does so at each poll.
  const refresh = usePolling<unknown>({
    url: () => paths.api.anyVideo,
    everyMs: REFRESH_SECONDS * 1000,
    isActive: isLive,
    onAnswer: () => (showsProgress ? undefined : revalidate()),
    onHeaders: () => (showsProgress ? revalidate() : undefined),
  })
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader title="All Platform Videos">
        <Link to={paths.admin.trash} className={buttonClass('plain')}>
          Trash
        </Link>
      </PageHeader>
      <StatCards label="All platform videos" stats={statsOf(counts)} />
      <AllVideosRuns change={change} runs={runs} />
      <GenerationProgressProvider making={making} usualMs={usualMs}>
        <AllVideosGallery {...list} refresh={refresh} />
      </GenerationProgressProvider>
    </div>
  )
}
