import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json, redirect } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useRevalidator } from '@remix-run/react'
import { useCallback } from 'react'
import { CollectionActions } from '~/components/collections/collection-actions'
import { CollectionDialogs } from '~/components/collections/collection-dialogs'
import { GenerationProgressProvider } from '~/components/gallery/generation-progress'
import { KeptNote } from '~/components/gallery/kept-note'
import { OwnGallery } from '~/components/gallery/own-gallery'
import { ShareCard } from '~/components/gallery/share-card'
import { useLiveGallery } from '~/components/gallery/use-live-gallery'
import { ActionToast } from '~/components/ui/toasts'
import { ButtonLink } from '~/components/ui/button'
import { textLinkClass } from '~/components/ui/text-link'
import type { UserCtx } from '~/domain/context'
import { isAppError } from '~/domain/errors'
import { COLLECTIONS_KEEP_NOTHING, type CollectionName } from '~/domain/videos/collections'
import { getCollection } from '~/domain/videos/collections.server'
import { getKeeping } from '~/domain/videos/keeping.server'
import { hasPreviewClips, listShareLinks } from '~/domain/videos/share-links.server'
import {
  collectionForms,
  endShareForms,
  shareCollectionForm,
} from '~/http/actions/collection-forms.server'
import { galleryForms } from '~/http/actions/gallery-forms.server'
import { handleForm } from '~/http/forms/forms.server'
import { loadGalleryDialog } from '~/http/loaders/gallery.server'
import { readVideos } from '~/http/loaders/live.server'
import { requireUser } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta(data?.collection.name ?? 'Collection')

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const signedIn = requireUser({ request, context })
  const { ctx } = signedIn
  const collection = await findCollection(ctx, params.collectionId ?? '')
  if (!collection) throw json(null, 404)
  requireFilter(request, collection)
  const [{ gallery, quota, underWay, headers }, dialog, links, hasPreviews] = await Promise.all([
    readVideos(signedIn, request),
    loadGalleryDialog(ctx, request),
    listShareLinks(ctx, { collectionId: collection.id }),
    hasPreviewClips(ctx, collection.id),
  ])
  const keeping = await getKeeping(
    ctx,
    gallery.videos.map(({ id }) => id),
  )
  const { origin } = new URL(ctx.settings.appUrl)
  const share = { links, origin, hasPreviews }
  return json({ collection, gallery, keeping, dialog, quota, underWay, share }, { headers })
}

async function findCollection(ctx: UserCtx, id: string): Promise<CollectionName | null> {
  try {
    return await getCollection(ctx, id)
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** Every link and form of a gallery keeps the filters of the address, so the address has this one. */
function requireFilter(request: Request, { id }: CollectionName): void {
  const { pathname, searchParams } = new URL(request.url)
  if (searchParams.get('collection') === id) return
  searchParams.set('collection', id)
  throw redirect(`${pathname}?${searchParams}`)
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  const collectionId = args.params.collectionId ?? ''
  return handleForm(args, {
    ...galleryForms(ctx, args),
    ...collectionForms(ctx, args.request),
    'share-collection': shareCollectionForm(ctx, collectionId),
    ...endShareForms(ctx, paths.collection(collectionId)),
  })
}

export { unlessDialog as shouldRevalidate } from '~/components/layout/should-revalidate'

export { clientAction } from '~/components/ui/page-forms'

export default function CollectionPage() {
  const { collection, gallery, keeping, dialog, quota, underWay, share } =
    useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const live = useCollectionGallery({ page: gallery, quota, work: null, ...underWay })
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <header className="space-y-3">
        <Link to={paths.collections} className={`${textLinkClass} text-sm`}>
          All collections
        </Link>
        <h1 className="text-xl font-semibold [overflow-wrap:anywhere] sm:text-2xl">
          <bdi>{collection.name}</bdi>
        </h1>
        <CollectionActions
          collection={collection}
          hasClips={gallery.pagination.totalCount > 0}
          isApart
        />
        <p className="text-sm text-soft">
          The ZIP, the prompts and the shared page are in the order of adding.{' '}
          {COLLECTIONS_KEEP_NOTHING}
        </p>
        {keeping && <KeptNote keeping={keeping} />}
      </header>
      <GenerationProgressProvider making={live.making} usualMs={live.usualMs}>
        <OwnGallery
          live={live}
          dialog={dialog}
          keeping={keeping}
          title="Clips"
          emptyText="This collection is empty. Tick clips in My Videos and press “Add to collection”."
          emptyAction={<ButtonLink to={paths.dashboard}>My Videos</ButtonLink>}
        />
      </GenerationProgressProvider>
      <div className="max-w-2xl">
        <ShareCard videoId={null} {...share} />
      </div>
      <CollectionDialogs collections={[collection]} />
    </div>
  )
}

/** Which clips a collection has is no change of a video, so the feed does not tell: the page is read again. */
function useCollectionGallery(data: Parameters<typeof useLiveGallery>[0]) {
  const live = useLiveGallery(data)
  const { revalidate } = useRevalidator()
  const { refresh } = live
  const readAgain = useCallback(async () => {
    revalidate()
    await refresh()
  }, [revalidate, refresh])
  return { ...live, refresh: readAgain }
}
