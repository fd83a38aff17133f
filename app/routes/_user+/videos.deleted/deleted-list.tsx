import { Form, Link, useLocation } from '@remix-run/react'
import { writeCursor } from '~/domain/videos/cursor'
import type { TrashedVideo, TrashPage } from '~/domain/videos/requests/trash.server'
import { titleOf } from '~/domain/videos/video-names'
import { readDialog } from '~/lib/dialog-address'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { FailedFields, FormToken } from '~/components/ui/action-form'
import { Button, ButtonLink, buttonClass } from '~/components/ui/button'
import { ConfirmDialog } from '~/components/ui/confirm'
import { CursorPages } from '~/components/ui/cursor-pages'
import { DayTime } from '~/components/ui/day-time'
import { EmptyState } from '~/components/ui/empty-state'
import { Icon } from '~/components/ui/icon'
import { RowBox } from '~/components/ui/row-box'

type Props = { trash: TrashPage; isFirst: boolean }

/**
 * The user's own deleted videos, which can be ticked and then restored or removed for good. Posters
 * are not shown, because files of deleted videos are not served.
 */
export function DeletedList({ trash: { videos, next }, isFirst }: Props) {
  const { search, key } = useLocation()
  const isAll = new URLSearchParams(search).get('select') === 'page'
  if (videos.length === 0) {
    return (
      <EmptyState text="Nothing here. Videos that you delete stay here for 7 days.">
        <ButtonLink to={paths.dashboard}>My Videos</ButtonLink>
      </EmptyState>
    )
  }
  const here = new URLSearchParams(search)
  here.delete('select')
  const older = next && new URLSearchParams({ after: writeCursor(next) })
  const chosen = new URLSearchParams(here)
  if (!isAll) chosen.set('select', 'page')
  return (
    <Form method="post" className="space-y-4">
      <FormToken />
      <FailedFields failed={['Restoring failed', 'Failed to restore videos']} />
      <div className="flex flex-wrap gap-2">
        <Button name="intent" value="restore">
          <Icon name="rotate-ccw" className="size-4" />
          Restore Selected
        </Button>
        <Button look="plain" name="intent" value="ask-remove">
          <Icon name="trash-2" className="size-4" />
          Delete for Good
        </Button>
        <Link to={`?${chosen}`} preventScrollReset replace className={buttonClass('plain')}>
          {isAll ? 'Select None' : 'Select All'}
        </Link>
      </div>
      <ul
        key={`${key} ${isAll}`}
        className="divide-y divide-line rounded-lg border border-line bg-surface"
      >
        {videos.map((video) => (
          <DeletedRow key={video.id} video={video} isTicked={isAll} />
        ))}
      </ul>
      <CursorPages
        first={isFirst ? null : { to: paths.deleted, label: 'Latest' }}
        next={older && { to: `?${older}`, label: 'Earlier' }}
      />
    </Form>
  )
}

function DeletedRow({ video, isTicked }: { video: TrashedVideo; isTicked: boolean }) {
  const { id, videoUrl, deletedAt, goneAt } = video
  return (
    <li className="flex items-start gap-3 p-3">
      <RowBox
        aria-label={`Select: ${excerpt(titleOf(video), 60)}`}
        name="ids"
        value={id}
        defaultChecked={isTicked}
      />
      <p className="min-w-0 grow text-sm">
        <span dir="auto" className="block break-words">
          {excerpt(titleOf(video), 160)}
        </span>
        <span className="block text-xs text-soft">
          {videoUrl === null ? 'No clip' : 'With its clip'} · deleted{' '}
          <DayTime instant={deletedAt} /> · gone for good <DayTime instant={goneAt} />
        </span>
      </p>
    </li>
  )
}

/** Asks before the videos that the URL names are removed for good. */
export function RemoveDialog() {
  const { search } = useLocation()
  const query = new URLSearchParams(search)
  const ids = query.getAll('ids')
  if (readDialog(query).name !== 'remove' || ids.length === 0) return null
  return (
    <ConfirmDialog
      title={`Delete ${plural(ids.length, 'video')} for good?`}
      text={<p>The files are deleted at once. Nobody can bring them back.</p>}
      intent="remove"
      failed="Delete failed"
      fields={{ ids }}
      confirmLabel="Delete for Good"
      cancelTo={paths.deleted}
    />
  )
}
