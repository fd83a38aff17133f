import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { ActivityRow } from '~/components/admin/activity-row'
import { PageTitle } from '~/components/admin/page-header'
import { buttonClass } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { CursorPages } from '~/components/ui/cursor-pages'
import { FilterField, FilterForm, FilterSelect } from '~/components/ui/filter-form'
import { Icon } from '~/components/ui/icon'
import { usePlatformZone } from '~/components/ui/use-root-data'
import { activityQuery, type ActivityQuery } from '~/domain/activity/schemas'
import { listActivity } from '~/domain/activity/list.server'
import { ACTIVITY_ACTIONS, filtersOf, noMatchText } from '~/domain/activity/types'
import { requireAdmin } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Activity log')

const ACTIONS = [
  { value: '', label: 'All actions' },
  ...Object.entries(ACTIVITY_ACTIONS).map(([value, label]) => ({ value, label })),
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const query = activityQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  const { entries, next } = await listActivity(ctx, query)
  return json({ query, entries, next })
}

export { shouldRevalidate } from '~/components/ui/page-forms'

export default function ActivityPage() {
  const { entries, next, query } = useLoaderData<typeof loader>()
  const timeZone = usePlatformZone()
  const [search] = useSearchParams()
  const isNarrowed = [...search.values()].some((value) => value !== '')
  const older = new URLSearchParams(search)
  older.set('after', next ?? '')
  return (
    <div className="space-y-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <PageTitle>Activity log</PageTitle>
          <p className="text-sm text-soft">
            What administrators did, and who signed in or failed to, newest first. Entries on
            signing in are kept for 180 days. Times are {timeZone}.
          </p>
        </div>
        {entries.length > 0 && (
          <a
            href={`${paths.admin.exportActivityLog}?${new URLSearchParams(filtersOf(query))}`}
            className={buttonClass('plain')}
          >
            <Icon name="download" className="size-4" /> Download as CSV
          </a>
        )}
      </header>
      <ActivityFilters query={query} />
      <Card>
        {entries.length === 0 ? (
          <p className="text-soft">{isNarrowed ? noMatchText(query) : 'Nothing here yet.'}</p>
        ) : (
          <ol className="divide-y divide-line">
            {entries.map((entry) => (
              <ActivityRow key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </Card>
      <CursorPages
        first={query.after ? { to: paths.admin.activityLog, label: 'Newest' } : null}
        next={next ? { to: `?${older}`, label: 'Older' } : null}
      />
    </div>
  )
}

function ActivityFilters({ query }: { query: ActivityQuery }) {
  const { actor, subject, action = '', from = '', to = '' } = query
  return (
    <FilterForm
      label="Find entries"
      values={{ actor, subject, action, from, to }}
      className="grid grid-cols-2 lg:grid-cols-[1fr_1fr_1.6fr_9.5rem_9.5rem_auto]"
    >
      <FilterField name="actor" label="Done by" defaultValue={actor} />
      <FilterField name="subject" label="Target" defaultValue={subject} />
      <div className="col-span-2 sm:col-span-1">
        <FilterSelect name="action" label="Action" options={ACTIONS} defaultValue={action} />
      </div>
      <FilterField name="from" label="From" type="date" defaultValue={from} />
      <FilterField name="to" label="To" type="date" defaultValue={to} />
    </FilterForm>
  )
}
