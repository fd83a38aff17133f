import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { DownloadSizes } from '~/components/gallery/download-sizes'
import { textLinkClass } from '~/components/ui/text-link'
import { listDownloads } from '~/domain/videos/gallery/download-options.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths, safeRedirect } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Download videos')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const search = new URL(request.url).searchParams
  const choices = await listDownloads(ctx, search)
  const from = safeRedirect(search.get('from'), paths.dashboard)
  if (choices.options[0]?.count === 0) {
    const description = 'No completed videos found'
    throw await redirectWithToast(from, {
      kind: 'error',
      title: 'No videos to download',
      description,
    })
  }
  return json({ ...choices, fields: { ...choices.fields, from }, from })
}

export { shouldRevalidate } from '~/components/ui/page-forms'

/** The dialog of the galleries, as a page for browsers without scripts. */
export default function DownloadPage() {
  const { from, ...choices } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-2xl space-y-6">
      <h1 className="text-xl font-semibold sm:text-2xl">Download videos</h1>
      <DownloadSizes choices={choices} />
      <Link to={from} className={`${textLinkClass} text-sm`}>
        Back to the videos
      </Link>
    </div>
  )
}
