import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  json,
} from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import type { input } from 'zod'
import { CollectionDialogs } from '~/components/collections/collection-dialogs'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { ButtonLink } from '~/components/ui/button'
import { CursorPages } from '~/components/ui/cursor-pages'
import { EmptyState } from '~/components/ui/empty-state'
import { Field } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { COLLECTION_LIMITS, type CollectionSummary } from '~/domain/videos/collections'
import { listCollections } from '~/domain/videos/collections.server'
import { readCursor, writeCursor } from '~/domain/videos/cursor'
import type { collectionInput } from '~/domain/videos/schemas'
import { collectionForms, newCollectionForm } from '~/http/actions/collection-forms.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { plural } from '~/lib/figures'
import { BatchPoster } from '~/components/batches/batch-poster'
import { DayTime } from '~/components/ui/day-time'
import { CollectionActions } from '~/components/collections/collection-actions'

export const meta: MetaFunction = () => pageMeta('Collections')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const after = new URL(request.url).searchParams.get('after') ?? undefined
  const { collections, next } = await listCollections(ctx, readCursor(after))
  return json({ collections, next: next && writeCursor(next), isFirst: after === undefined })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, {
    ...collectionForms(ctx, args.request),
    'create-collection': newCollectionForm(ctx),
  })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function CollectionsPage() {
  const { collections, next, isFirst } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <header className="space-y-1">
        <h1 className="text-xl font-semibold sm:text-2xl">Collections</h1>
        <p className="text-sm text-soft">
          Put clips together under a name, to download or to share them. Tick clips in{' '}
          <Link
            to={paths.dashboard}
            className="-my-3 inline-block py-3 underline underline-offset-4"
          >
            My Videos
          </Link>{' '}
          and press “Add to collection”.
        </p>
      </header>
      <NewCollection />
      {collections.length === 0 ? (
        <EmptyState text="No collections yet.">
          <ButtonLink to={paths.dashboard} look="plain">
            My Videos
          </ButtonLink>
        </EmptyState>
      ) : (
        <ul className="space-y-3">
          {collections.map((collection) => (
            <li key={collection.id}>
              <CollectionCard collection={collection} />
            </li>
          ))}
        </ul>
      )}
      <CursorPages
        first={isFirst ? null : { to: paths.collections, label: 'Newest' }}
        next={next === null ? null : { to: paths.collectionsAfter(next), label: 'Older' }}
      />
      <CollectionDialogs collections={collections} />
    </div>
  )
}

function NewCollection() {
  const [form, fields] = useActionForm<input<typeof collectionInput>>('create-collection')
  return (
    <ActionForm
      {...form}
      intent="create-collection"
      className="flex max-w-md flex-wrap items-end gap-3"
    >
      <div className="min-w-0 grow">
        <Field
          field={fields.name}
          label="New collection"
          required
          maxLength={COLLECTION_LIMITS.nameCharacters}
          autoComplete="off"
        />
      </div>
      <SubmitButton intent="create-collection" look="plain">
        Create
      </SubmitButton>
    </ActionForm>
  )
}

/** A collection in the list: its first poster, its name, and how many clips it has. */
function CollectionCard({ collection }: { collection: CollectionSummary }) {
  const { id, name, clips, poster, createdAt } = collection
  return (
    <article className="flex gap-3 rounded-lg border border-line bg-surface p-3 sm:gap-5 sm:p-4">
      <Link
        to={paths.collection(id)}
        aria-hidden
        tabIndex={-1}
        className="block aspect-[3/4] w-16 shrink-0 self-start overflow-hidden rounded-sm bg-film sm:w-20"
      >
        {poster !== null && <BatchPoster id={poster} />}
      </Link>
      <div className="min-w-0 grow space-y-3">
        <div className="space-y-1">
          <h2 className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">
            <Link
              to={paths.collection(id)}
              className="-my-2.5 inline-block py-2.5 underline-offset-4 hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
          </h2>
          <p className="text-sm tabular-nums text-soft">
            {plural(clips, 'clip')} · <DayTime instant={createdAt} />
          </p>
        </div>
        <CollectionActions collection={collection} hasClips={clips > 0} />
      </div>
    </article>
  )
}
