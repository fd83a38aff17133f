import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { StatusCard } from '~/components/videos/status-card'
import { useLiveGallery } from '~/components/videos/use-live-gallery'
import { getCounts, findVideo } from '~/domain/videos/queries.server'
import { requireUser } from '~/http/guards.server'
import { paths } from '~/lib/paths'
import { pageTitle } from '~/lib/title'

const REFRESH_SECONDS = 5

export const meta: MetaFunction = () => [{ title: pageTitle('Video') }]

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { ctx, account } = requireUser({ request, context })
  const [video, { version }] = await Promise.all([
    findVideo(ctx, params.videoId ?? null),
    getCounts(ctx.db, account.id),
  ])
  if (!video) throw json(null, 404)
  const isWorking = video.status === 'pending' || video.status === 'generating'
  return json({ video, version, isWorking, refreshSeconds: isWorking ? REFRESH_SECONDS : null })
}

export default function VideoPage() {
  const { video, version, isWorking } = useLoaderData<typeof loader>()
  useLiveGallery({ version, isWorking })
  return (
    <div className="mx-auto max-w-xl space-y-4">
      <h1 className="text-xl font-semibold">Video</h1>
      <StatusCard video={video} />
      <Link to={paths.app} className="text-sm underline underline-offset-4">
        Back to all videos
      </Link>
    </div>
  )
}
