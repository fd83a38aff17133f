import { useLocation } from '@remix-run/react'
import type { Notices } from '~/domain/business/types'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Icon } from '../ui/icon'

const BANNER = 'mb-4 flex items-start gap-3 rounded-lg border p-3 text-sm'

/** The pause of new orders, and today's announcement with a button that closes it. */
export function NoticeBanners({ announcement, pause }: Notices) {
  return (
    <>
      {pause && (
        <p role="status" className={`${BANNER} border-warn bg-surface`}>
          <Icon name="circle-pause" className="mt-0.5 size-4 shrink-0 text-warn" />
          <span className="min-w-0 break-words">{pause.text}</span>
        </p>
      )}
      {announcement && (
        <section
          aria-label="Announcement"
          className={`${BANNER} bg-surface ${announcement.level === 'warning' ? 'border-warn' : 'border-line'}`}
        >
          <p className="min-w-0 grow whitespace-pre-line break-words py-0.5">{announcement.text}</p>
          <Dismiss id={announcement.id} />
        </section>
      )}
    </>
  )
}

function Dismiss({ id }: { id: string }) {
  const { pathname, search } = useLocation()
  return (
    <ActionForm intent="dismiss" action={paths.dismissAnnouncement} preventScrollReset>
      <input type="hidden" name="announcementId" value={id} />
      <input type="hidden" name="returnTo" value={pathname + search} />
      <button aria-label="Close the announcement" className="icon-btn -my-2.5 -mr-2.5">
        <Icon name="x" className="size-5" />
      </button>
    </ActionForm>
  )
}
