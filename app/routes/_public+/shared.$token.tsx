import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { PublicLayout, SiteLinks } from '~/components/public/public-layout'
import { buttonClass } from '~/components/ui/button'
import { Icon } from '~/components/ui/icon'
import { VideoPlayer } from '~/components/videos/video-player'
import { loadShared } from '~/http/loaders/shared.server'
import { paths } from '~/lib/paths'
import { pageTitle, productName } from '~/lib/title'

/** The preview that messengers show. Search engines are asked to stay away. */
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle('Video') },
  { name: 'robots', content: 'noindex' },
  { property: 'og:type', content: 'video.other' },
  { property: 'og:title', content: data?.prompt ?? `A video made with ${productName()}` },
  ...(data?.posterUrl ? [{ property: 'og:image', content: data.posterUrl }] : []),
  ...(data ? [{ property: 'og:video', content: data.clipUrl }] : []),
]

export async function loader({ params }: LoaderFunctionArgs) {
  return json(await loadShared(params.token ?? ''))
}

/** A clip for somebody who was sent its link. It needs no account and no scripts. */
export default function SharedPage() {
  const { token, prompt, aspectRatio, posterUrl } = useLoaderData<typeof loader>()
  const clip = {
    prompt: prompt ?? '',
    aspectRatio,
    videoUrl: paths.sharedClip(token),
    thumbnailUrl: posterUrl === null ? null : paths.sharedPoster(token),
    completedAt: null,
    regenerateCount: 0,
  }
  return (
    <PublicLayout links={<SiteLinks to={paths.landing}>Make your own</SiteLinks>}>
      <div className="mx-auto flex max-w-3xl flex-col items-center gap-5 px-4 pt-8">
        <h1 className="sr-only">Video</h1>
        <VideoPlayer video={clip} />
        {prompt !== null && (
          <p dir="auto" className="max-w-prose whitespace-pre-wrap break-words text-soft">
            {prompt}
          </p>
        )}
        <a href={paths.sharedDownload(token)} download className={buttonClass('primary')}>
          <Icon name="download" className="size-4" />
          Download
        </a>
      </div>
    </PublicLayout>
  )
}
