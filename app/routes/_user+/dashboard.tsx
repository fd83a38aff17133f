import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Counters } from '~/components/videos/counters'
import { Gallery } from '~/components/videos/gallery'
import { countVideos, getCounts, listVideos } from '~/domain/videos/queries.server'
import { videoListQuery } from '~/domain/videos/schemas'
import { requireUser } from '~/http/guards.server'
import { pageTitle } from '~/lib/title'

export const meta: MetaFunction = () => [{ title: pageTitle('My Videos') }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, account } = requireUser({ request, context })
  const search = new URL(request.url).searchParams
  const query = videoListQuery.parse({ page: search.get('page') ?? undefined, scope: 'mine' })
  const [videos, pagination, { counts }] = await Promise.all([
    listVideos(ctx, query),
    countVideos(ctx, query),
    getCounts(ctx.db, account.id),
  ])
  return json({ videos, pagination, counts })
}

export default function DashboardPage() {
  const { videos, pagination, counts } = useLoaderData<typeof loader>()
  return (
    <div className="space-y-6">
      <h1 className="text-xl font-semibold sm:text-2xl">My Videos</h1>
      <Counters counts={counts} />
      <Gallery videos={videos} pagination={pagination} />
    </div>
  )
}
