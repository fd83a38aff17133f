import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { PublicLayout, SiteLinks } from '~/components/public/public-layout'
import { SharedClip } from './shared-clip'
import { SharedCollection } from './shared-collection'
import { loadShared } from '~/http/loaders/shared.server'
import { paths } from '~/lib/paths'
import { pageTitle, productName } from '~/lib/title'

/** The preview that messengers show. Search engines are asked to stay away. */
export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const isCollection = data?.kind === 'collection'
  const name = isCollection ? data.name : data?.prompt
  return [
    { title: pageTitle(isCollection ? data.name : 'Video') },
    { name: 'robots', content: 'noindex' },
    { property: 'og:type', content: isCollection ? 'website' : 'video.other' },
    { property: 'og:title', content: name ?? `A video made with ${productName()}` },
    ...(data?.posterUrl ? [{ property: 'og:image', content: data.posterUrl }] : []),
    ...(data?.kind === 'clip' ? [{ property: 'og:video', content: data.clipUrl }] : []),
  ]
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  return json(await loadShared(params.token ?? '', new URL(request.url).searchParams))
}

/** A clip or a collection for somebody who was sent its link. It needs no account and no scripts. */
export default function SharedPage() {
  const shared = useLoaderData<typeof loader>()
  return (
    <PublicLayout links={<SiteLinks to={paths.landing}>Make yours</SiteLinks>}>
      {shared.kind === 'clip' ? <SharedClip {...shared} /> : <SharedCollection {...shared} />}
    </PublicLayout>
  )
}
