import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import {
  Link,
  useActionData,
  useLoaderData,
  useLocation,
  useRevalidator,
  type ClientActionFunctionArgs,
} from '@remix-run/react'
import type { MouseEvent } from 'react'
import { SummaryStrip } from '~/components/admin/summary-strip'
import { stackBars } from '~/components/charts/stack-bars.server'
import { sendGalleryForm } from '~/components/gallery/send-gallery-form'
import { HoldNotes } from '~/components/gallery/hold-notes'
import { KeptNote } from '~/components/gallery/kept-note'
import { GenerationProgressProvider } from '~/components/gallery/generation-progress'
import { OwnGallery } from '~/components/gallery/own-gallery'
import { isRefreshPaused, RefreshHint } from '~/components/gallery/refresh-hint'
import { useLiveGallery } from '~/components/gallery/use-live-gallery'
import { CHANGE_PASSWORD } from '~/components/layout/change-password-address'
import { unlessDialog } from '~/components/layout/should-revalidate'
import { outcomeColumns } from '~/components/overview/columns'
import { ActionToast } from '~/components/ui/action-toast'
import { ButtonLink, buttonClass } from '~/components/ui/button'
import { DialogLink } from '~/components/ui/dialog-link'
import { Icon } from '~/components/ui/icon'
import { Counters } from '~/components/videos/counters'
import { getStrip } from '~/domain/administration/overview/overview.server'
import { getKeeping } from '~/domain/videos/keeping.server'
import { handleForm } from '~/http/forms/forms.server'
import { galleryForms } from '~/http/actions/gallery-forms.server'
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
  const isAdmin = account.role === 'admin'
  const { timeZone } = ctx.settings
  const [{ gallery, quota, underWay, headers }, dialog, strip] = await Promise.all([
    readVideos(signedIn, request),
    loadGalleryDialog(ctx, request),
    isAdmin ? getStrip(requireAdmin({ request, context }).ctx) : null,
  ])
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
      strip: strip && {
        ...strip,
        drawing: stackBars(outcomeColumns(strip.hours, timeZone), 'low'),
      },
      isWorking,
      isFollowing,
      refreshSeconds,
    },
    { headers },
  )
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, galleryForms(ctx, args))
}

/** Sends a form with scripts. If no response comes, keeps the page and what the user typed. */
export function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  return sendGalleryForm(request, { send: () => serverAction<typeof action>() })
}

// The dialogs use the page's data or fetch the rest themselves.
export { unlessDialog as shouldRevalidate }

export default function DashboardPage() {
  const data = useLoaderData<typeof loader>()
  const { gallery, keeping, dialog, quota, underWay, strip, isWorking, isFollowing } = data
  const { search } = useLocation()
  const failure = useActionData<typeof action>()
  const live = useLiveGallery({ page: gallery, quota, work: null, ...underWay })
  return (
    <div className="space-y-3 sm:space-y-6">
      <ActionToast toast={failure?.toast} />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h1 className="text-lg font-semibold sm:text-2xl">My Videos</h1>
        <div className="flex flex-wrap gap-2">
          <ChangePasswordLink />
          <RefreshLink />
        </div>
      </div>
      {strip && <SummaryStrip {...strip} />}
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
            title="All videos"
            emptyText="No videos generated yet."
            emptyAction={<ButtonLink to={paths.app}>Generate Video</ButtonLink>}
          />
        </GenerationProgressProvider>
      </div>
    </div>
  )
}

/** The specification defines this dialog for this page (decision Q-47). */
const ChangePasswordLink = () => (
  <DialogLink dialog={CHANGE_PASSWORD} className="max-sm:px-3">
    <Icon name="key-round" className="size-4 max-sm:hidden" />
    Change Password
  </DialogLink>
)

/** Reloads the page: a link without scripts, only its data with scripts. */
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
      className={buttonClass('plain', 'max-sm:px-3')}
    >
      <Icon
        name="refresh-cw"
        className={`size-4 ${state === 'loading' ? 'motion-safe:animate-spin' : ''}`}
      />
      <span className="max-sm:sr-only">Refresh</span>
    </Link>
  )
}
