import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { AllVideosRuns } from '~/components/admin/videos/all-videos-runs'
import { PageHeader } from '~/components/admin/page-header'
import { RestoreAllDialog, TrashList } from './trash-list'
import { ActionToast } from '~/components/ui/toasts'
import { buttonClass } from '~/components/ui/button'
import { FilterForm } from '~/components/ui/filter-form'
import { SearchField } from '~/components/ui/search-field'
import { changeMany, findMassChange } from '~/domain/videos/admin/mass-change.server'
import {
  allVideosQuery,
  EVERY_VIDEO,
  restoreAllInput,
} from '~/domain/videos/admin/all-videos-schemas'
import { selectedVideosForm } from '~/domain/videos/schemas'
import { listTrash, restoreSelected } from '~/domain/videos/admin/trash.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Deleted videos')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const { search, after } = allVideosQuery.parse(
    Object.fromEntries(new URL(request.url).searchParams),
  )
  const [trash, change] = await Promise.all([
    listTrash(ctx, { search, after }),
    findMassChange(ctx),
  ])
  const refreshSeconds = change?.finishedAt === null ? 5 : null
  return json({ trash, change, search, refreshSeconds })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  const done = (description: string) =>
    redirectWithToast(paths.admin.trash, { kind: 'success', title: 'Videos restored', description })
  return handleForm(args, {
    restore: form('Restoring failed', selectedVideosForm, async ({ ids }) => {
      const count = await restoreSelected(ctx, ids)
      return done(`${plural(count, 'video')} back in the galleries of their owners.`)
    }),
    'restore-all': form('Restoring failed', restoreAllInput, async ({ search }) => {
      const { message } = await changeMany(ctx, {
        kind: 'restore',
        filter: { ...EVERY_VIDEO, search },
      })
      return done(message)
    }),
  })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function TrashPage() {
  const { trash, change, search } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const [params] = useSearchParams()
  const isFirst = !params.has('after')
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Deleted videos"
        note="Kept for 7 days with their files, then deleted for good."
      >
        <Link to={paths.admin.videos} className={buttonClass('plain')}>
          All videos
        </Link>
      </PageHeader>
      <AllVideosRuns change={change} runs={[]} />
      <FilterForm label="Users" values={{ search }} className="grid sm:flex" button="Search">
        <SearchField label="Search by username" defaultValue={search} />
      </FilterForm>
      <TrashList trash={trash} search={search} isFirst={isFirst} />
      <RestoreAllDialog search={search} />
    </div>
  )
}
