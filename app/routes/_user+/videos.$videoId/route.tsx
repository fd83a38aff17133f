import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { CollectionsCard } from './collections-card'
import { ShareCard } from '~/components/gallery/share-card'
import { VideoDetails } from './video-details'
import { VideoRecordCard } from '~/components/gallery/video-record'
import { ActionToast } from '~/components/ui/toasts'
import { textLinkClass } from '~/components/ui/text-link'
import { getVideoRecord } from '~/domain/videos/admin/video-tries.server'
import type { UserCtx } from '~/domain/context'
import { getProgressOf } from '~/domain/videos/gallery/progress.server'
import { listCollectionNames, listCollectionsOf } from '~/domain/videos/collections.server'
import { picturesOfVideo } from '~/domain/videos/pictures.server'
import { findVideo } from '~/domain/videos/queries.server'
import { listShareLinks } from '~/domain/videos/share-links.server'
import { isInProgress, PREVIEW_MODEL } from '~/domain/videos/rules'
import { handleForm } from '~/http/forms/forms.server'
import { clipCollectionForms, endShareForms } from '~/http/actions/collection-forms.server'
import { galleryForms } from '~/http/actions/gallery-forms.server'
import { loadTyped } from '~/http/loaders/gallery.server'
import { newFormKey } from '~/http/forms/idempotency.server'
import { requireAdmin, requireUser } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { REFRESH_SECONDS } from '~/lib/refresh'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Video')

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx, account } = requireUser({ request, context })
  const video = await findVideo(ctx, params.videoId ?? null)
  if (!video) throw json(null, 404)
  const refreshSeconds = isInProgress(video) ? REFRESH_SECONDS : null
  const typed = await loadTyped(ctx, new URL(request.url).searchParams)
  const progress = await getProgressOf(ctx, isInProgress(video) ? [video.id] : [])
  const isOwn = video.user.username === account.username
  const pictures = await picturesOfVideo(ctx, video.id)
  const hasClip = isOwn && video.videoUrl !== null
  const shown = { loaded: video, isOwn, pictures, progress }
  const details = { ...shown, formKey: newFormKey(), typed }
  const isAdmin = account.role === 'admin'
  const record = isAdmin
    ? await getVideoRecord(requireAdmin({ request, context }).ctx, video.id)
    : null
  const own = hasClip ? await loadOwn(ctx, video.id) : null
  const { origin } = new URL(ctx.settings.appUrl)
  return json({ details, record, own, origin, refreshSeconds })
}

/** Loads what only owners see of a clip: its links and its collections. */
async function loadOwn(ctx: UserCtx, videoId: string) {
  const [links, isIn, all] = await Promise.all([
    listShareLinks(ctx, { videoId }),
    listCollectionsOf(ctx, videoId),
    listCollectionNames(ctx),
  ])
  return { links, collections: { isIn, all } }
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  const video = await findVideo(ctx, args.params.videoId ?? null)
  const isOwn = video === null || video.user.username === ctx.actor.username
  const forms = galleryForms(ctx, { ...args, afterDelete: galleryOf(isOwn), isOwn })
  const videoId = args.params.videoId ?? ''
  return handleForm(args, {
    ...forms,
    ...clipCollectionForms(ctx, videoId),
    ...endShareForms(ctx, `${paths.video(videoId)}#share`),
  })
}

export { unlessDialog as shouldRevalidate } from '~/components/layout/should-revalidate'

/** Administrators also open the videos of others. */
const galleryOf = (isOwn: boolean) => (isOwn ? paths.dashboard : paths.admin.videos)

export { clientAction } from '~/components/ui/page-forms'

export default function VideoPage() {
  const { details, record, own, origin } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="mx-auto max-w-2xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Video</h1>
      <VideoDetails {...details} />
      {own && (
        <ShareCard
          videoId={details.loaded.id}
          links={own.links}
          origin={origin}
          hasPreviews={details.loaded.model === PREVIEW_MODEL}
        />
      )}
      {own && <CollectionsCard {...own.collections} />}
      {record && <VideoRecordCard record={record} />}
      <Link to={galleryOf(details.isOwn)} className={`${textLinkClass} text-sm`}>
        {details.isOwn ? 'Back to My Videos' : 'Back to all videos'}
      </Link>
    </div>
  )
}
