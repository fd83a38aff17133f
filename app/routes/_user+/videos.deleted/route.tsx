import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json, redirect } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { ActionToast } from '~/components/ui/toasts'
import { DeletedList, RemoveDialog } from './deleted-list'
import { readCursor } from '~/domain/videos/cursor'
import { listOwnTrash, removeOwn, restoreOwn } from '~/domain/videos/requests/own-trash.server'
import { selectedVideosForm, tickedVideosForm, undoForm } from '~/domain/videos/schemas'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Recently deleted')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const after = new URL(request.url).searchParams.get('after') ?? undefined
  return json({ trash: await listOwnTrash(ctx, readCursor(after)) })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  const done = (title: string, description: string) => ({
    to: paths.deleted,
    toast: { kind: 'success' as const, title, description },
  })
  const back = (count: number) =>
    done(
      count === 1 ? 'Video restored' : 'Videos restored',
      `${plural(count, 'video')} back in your gallery.`,
    )
  return handleForm(args, {
    restore: form('Restoring failed', tickedVideosForm, async ({ ids }) =>
      ids.length === 0
        ? nothingTicked('Tick the videos to restore')
        : back(await restoreOwn(ctx, { ids })),
    ),
    undo: form('Restoring failed', undoForm, async ({ on }) =>
      back(await restoreOwn(ctx, { deletedAt: on })),
    ),
    'ask-remove': form('Delete failed', tickedVideosForm, async ({ ids }) => {
      if (ids.length === 0) return nothingTicked('Tick the videos to delete')
      const asked = new URLSearchParams({ dialog: 'remove' })
      for (const id of ids) asked.append('ids', id)
      return redirect(`${paths.deleted}?${asked}`, 303)
    }),
    remove: form('Delete failed', selectedVideosForm, async ({ ids }) => {
      const count = await removeOwn(ctx, ids)
      return done('Deleted for good', `${plural(count, 'video')} and the files.`)
    }),
  })
}

const nothingTicked = (title: string) => ({
  to: paths.deleted,
  toast: { kind: 'info' as const, title },
})

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function DeletedPage() {
  const { trash } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const [params] = useSearchParams()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <header className="space-y-1">
        <h1 className="text-xl font-semibold sm:text-2xl">Recently deleted</h1>
        <p className="text-sm text-soft">
          Deleted videos stay here for 7 days with their files. Restoring one costs nothing.{' '}
          <Link
            to={paths.dashboard}
            className="-my-3 inline-block py-3 underline underline-offset-4"
          >
            My Videos
          </Link>
        </p>
      </header>
      <DeletedList trash={trash} isFirst={!params.has('after')} />
      <RemoveDialog />
    </div>
  )
}
