import { Link, useLocation } from '@remix-run/react'
import { Download, RotateCcw, Trash2, UserPlus, Zap } from 'lucide-react'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { buttonClass } from '../ui/button'

/** What can be done on the users' page beside its table. */
export function UsersActions() {
  const { search } = useLocation()
  const dialog = (name: string) => ({ to: dialogAddress(search, name), preventScrollReset: true })
  return (
    <div className="flex flex-wrap gap-2">
      <Link {...dialog('quick')} className={buttonClass('primary')}>
        <Zap aria-hidden className="size-4" /> Quick Create
      </Link>
      <Link {...dialog('create')} className={buttonClass('plain')}>
        <UserPlus aria-hidden className="size-4" /> Create User
      </Link>
      {/* A file, not a page: the browser asks for it itself. */}
      <a href={paths.admin.exportUsers} className={buttonClass('plain')}>
        <Download aria-hidden className="size-4" /> Download All Data
      </a>
      <Link {...dialog('reset-all')} className={buttonClass('plain')}>
        <RotateCcw aria-hidden className="size-4" /> Reset All Counters
      </Link>
      <Link {...dialog('delete-all')} className={buttonClass('danger')}>
        <Trash2 aria-hidden className="size-4" /> Delete All Users
      </Link>
    </div>
  )
}
