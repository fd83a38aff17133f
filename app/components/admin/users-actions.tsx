import { Link, useLocation } from '@remix-run/react'
import { Download, RotateCcw, Trash2, UserPlus, Zap } from 'lucide-react'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { buttonClass } from '../ui/button'
import { saveFile } from '../ui/save-file'
import { showToast } from '../ui/toasts'

async function downloadUsers(): Promise<void> {
  const problem = await saveFile(paths.admin.exportUsers, 'users.txt')
  if (problem === null) return showToast({ kind: 'success', title: 'Download successful' })
  // Instead of a file the server leads back to the page, which then says why.
  if (problem.isPage) {
    const description = 'There are no users in the system.'
    return showToast({ kind: 'error', title: 'No data to download', description })
  }
  const description = problem.message ?? 'An error occurred'
  showToast({ kind: 'error', title: 'Download failed', description })
}

/** What can be done on the users' page beside its table. */
export function UsersActions() {
  const { search } = useLocation()
  const dialog = (name: string) => ({ to: dialogAddress(search, name), preventScrollReset: true })
  return (
    <div className="grid w-full grid-cols-2 gap-2 sm:w-auto *:px-1 sm:flex sm:flex-wrap sm:*:px-4">
      <Link {...dialog('quick')} className={buttonClass('primary')}>
        <Zap aria-hidden className="size-4" /> Quick Create
      </Link>
      <Link {...dialog('create')} className={buttonClass('plain')}>
        <UserPlus aria-hidden className="size-4" /> Create User
      </Link>
      {/* A file, not a page: without scripts the browser asks for it itself. */}
      <a
        href={paths.admin.exportUsers}
        onClick={(event) => {
          event.preventDefault()
          void downloadUsers()
        }}
        className={buttonClass('plain')}
      >
        <Download aria-hidden className="size-4" /> Download All Data
      </a>
      <Link {...dialog('reset-all')} className={buttonClass('plain')}>
        <RotateCcw aria-hidden className="size-4" /> Reset All Counters
      </Link>
      <Link {...dialog('delete-all')} className={buttonClass('warning', 'col-span-2')}>
        <Trash2 aria-hidden className="size-4" /> Delete All Users
      </Link>
    </div>
  )
}
