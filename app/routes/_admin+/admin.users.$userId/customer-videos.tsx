import { Link } from '@remix-run/react'
import type { CustomerView } from '~/domain/administration/customers/customer-page.server'
import type { UserVideo, UserVideosQuery } from '~/domain/videos/admin/user-videos.server'
import { causeOf, holdText, type Hold } from '~/domain/videos/holds'
import { countFor, shownFilters } from '~/domain/videos/rules'
import type { StatusFilter, VideoStatus } from '~/domain/videos/types'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { TryText } from '~/components/gallery/video-record'
import { Badge, type BadgeTone } from '~/components/ui/badge'
import { Card } from '~/components/ui/card'
import { CursorPages } from '~/components/ui/cursor-pages'
import { FilterForm } from '~/components/ui/filter-form'
import { FilterGroup } from '~/components/ui/filter-group'
import { DayTime } from '~/components/ui/day-time'
import { Icon } from '~/components/ui/icon'
import { SearchField } from '~/components/ui/search-field'

const FILTERS = {
  all: 'All',
  completed: 'Completed',
  pending: 'Waiting or in progress',
  error: 'Failed',
  cancelled: 'Cancelled',
} as const satisfies Record<StatusFilter, string>

type Props = { customer: CustomerView; query: UserVideosQuery }

/** The customer's videos by state, with what the customer reads and what the provider said. */
export function CustomerVideos({ customer, query: { status, words, after } }: Props) {
  const { counts, holds, videos, next } = customer
  const address = (change: { status?: StatusFilter; after?: string }) => {
    const search = new URLSearchParams({ status, words, ...change })
    for (const name of ['status', 'words'])
      if (['', 'all'].includes(search.get(name) ?? '')) search.delete(name)
    return `?${search}`
  }
  return (
    <Card title="Videos">
      <div className="space-y-4">
        {holds.map((hold) => (
          <HoldLine key={hold.reason} hold={hold} />
        ))}
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <FilterGroup
            label="Status"
            choices={shownFilters(counts, status).map((one) => ({
              label: FILTERS[one],
              count: words === '' ? countFor(counts, { status: one, aspectRatio: 'all' }) : null,
              isCurrent: one === status,
              to: address({ status: one }),
            }))}
          />
          <FilterForm label="Find prompts" values={{ words }} button="Search">
            {status !== 'all' && <input type="hidden" name="status" value={status} />}
            <SearchField
              id="words"
              name="words"
              label="Search by prompt"
              defaultValue={words}
              maxLength={100}
            />
          </FilterForm>
        </div>
        {videos.length === 0 ? (
          <p className="text-sm text-soft">No videos</p>
        ) : (
          <ol className="divide-y divide-line border-t border-line" aria-label="Videos">
            {videos.map((video) => (
              <VideoLine key={video.id} video={video} />
            ))}
          </ol>
        )}
        <CursorPages
          first={after ? { to: address({}), label: 'Newest' } : null}
          next={next === null ? null : { to: address({ after: next }), label: 'Older' }}
        />
      </div>
    </Card>
  )
}

/** Why videos wait, for the customer and for the operator. */
function HoldLine({ hold }: { hold: Hold }) {
  const { reason, videos, nextTryAt } = hold
  return (
    <div className="flex gap-2 rounded border border-warn p-3 text-sm">
      <Icon name="circle-pause" className="mt-0.5 size-4 shrink-0 text-warn" />
      <p>
        <span className="font-medium">{plural(videos, 'video')} on hold</span> because{' '}
        {causeOf(reason)}.
        {nextTryAt && (
          <>
            {' '}
            Next try <DayTime instant={nextTryAt} />.
          </>
        )}
        <span className="block text-soft">The customer reads: {holdText(hold)}</span>
      </p>
    </div>
  )
}

const STATES = {
  pending: { label: 'Queued', tone: 'neutral' },
  generating: { label: 'Generating', tone: 'accent' },
  completed: { label: 'Completed', tone: 'good' },
  error: { label: 'Failed', tone: 'bad' },
} as const satisfies Record<VideoStatus, { label: string; tone: BadgeTone }>

function VideoLine({ video }: { video: UserVideo }) {
  const { id, prompt, status, createdAt, errorMessage, hold, lastTry } = video
  const { label, tone } = STATES[status]
  const told = hold ? holdText(hold) : errorMessage
  return (
    <li className="space-y-1 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={tone}>{hold ? 'On hold' : label}</Badge>
        <DayTime instant={createdAt} className="tabular-nums text-soft" />
      </p>
      <Link
        to={paths.video(id)}
        className="line-clamp-3 block [overflow-wrap:anywhere] hover:underline"
      >
        <bdi>{prompt}</bdi>
      </Link>
      {told !== null && <p>The customer reads: {told}</p>}
      {lastTry && status !== 'completed' && (
        <div className="text-soft">
          <TryText attempt={lastTry} />
        </div>
      )}
    </li>
  )
}
