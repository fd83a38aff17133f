import { useLocation } from '@remix-run/react'
import { writeCursor } from '~/domain/videos/cursor'
import type { TrashedVideo, TrashPage } from '~/domain/videos/requests/trash.server'
import { titleOf } from '~/domain/videos/video-names'
import { readDialog } from '~/lib/dialog-address'
import { excerpt } from '~/lib/text'
import { dayAndTime } from '~/lib/time'
import { ActionForm } from '~/components/ui/action-form'
import { ConfirmDialog } from '~/components/ui/confirm'
import { CursorPages } from '~/components/ui/cursor-pages'
import { DialogLink } from '~/components/ui/dialog-link'
import { EmptyState } from '~/components/ui/empty-state'
import { Icon } from '~/components/ui/icon'
import { RowBox } from '~/components/ui/row-box'
import { SubmitButton } from '~/components/ui/submit-button'
import { usePlatformZone } from '~/components/ui/use-root-data'

type Props = { trash: TrashPage; search: string; isFirst: boolean }

/**
 * Deleted videos that can be ticked and restored. Posters are not shown, because files of deleted
 * videos are not served.
 */
export function TrashList({ trash: { videos, next }, search, isFirst }: Props) {
  if (videos.length === 0) {
    return <EmptyState text={search === '' ? 'The trash is empty.' : 'No deleted videos match.'} />
  }
  const query = new URLSearchParams(search === '' ? {} : { search })
  const older = new URLSearchParams(query)
  if (next) older.set('after', writeCursor(next))
  return (
    <ActionForm intent="restore" className="space-y-4">
      <div className="flex flex-wrap gap-2">
        <SubmitButton intent="restore">
          <Icon name="rotate-ccw" className="size-4" />
          Restore Selected
        </SubmitButton>
        <DialogLink dialog="restore-all">Restore All</DialogLink>
      </div>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {videos.map((video) => (
          <TrashRow key={video.id} video={video} />
        ))}
      </ul>
      <CursorPages
        first={isFirst ? null : { to: `?${query}`, label: 'Latest' }}
        next={next && { to: `?${older}`, label: 'Earlier' }}
      />
    </ActionForm>
  )
}

function TrashRow({ video }: { video: TrashedVideo }) {
  const timeZone = usePlatformZone()
  const { id, user, videoUrl, deletedAt, goneAt } = video
  return (
    <li>
      <div className="flex items-start gap-3 p-3">
        <RowBox aria-label={`Select: ${excerpt(titleOf(video), 60)}`} name="ids" value={id} />
        <p className="min-w-0 grow text-sm">
          <span className="block break-words">{excerpt(titleOf(video), 160)}</span>
          <span className="block text-xs text-soft">
            {user.username} · {videoUrl === null ? 'no clip' : 'has a clip'} · deleted{' '}
            {dayAndTime(deletedAt, timeZone)} · deleted for good {dayAndTime(goneAt, timeZone)}
          </span>
        </p>
      </div>
    </li>
  )
}

/** Asks for confirmation before restoring all videos in the trash that match the search. */
export function RestoreAllDialog({ search }: { search: string }) {
  const location = useLocation()
  if (readDialog(new URLSearchParams(location.search)).name !== 'restore-all') return null
  const whose = search === '' ? 'all users' : `users whose name contains “${search}”`
  return (
    <ConfirmDialog
      title="Restore all deleted videos?"
      text={<p>Everything in the trash of {whose} goes back to its owner’s gallery.</p>}
      intent="restore-all"
      fields={{ search }}
      confirmLabel="Restore All"
      isDangerous={false}
    />
  )
}
