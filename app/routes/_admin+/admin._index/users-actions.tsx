import { paths } from '~/lib/paths'
import { ButtonLink, buttonClass } from '~/components/ui/button'
import { DialogLink } from '~/components/ui/dialog-link'
import { Icon } from '~/components/ui/icon'
import { saveFile } from '~/components/ui/save-file'
import { showToast } from '~/components/ui/toasts'

async function downloadUsers(): Promise<void> {
  const problem = await saveFile(paths.admin.exportUsers, 'users.txt')
  if (problem === null) return showToast({ kind: 'success', title: 'Download successful' })
  // Instead of a file the server redirected to the page, which shows the reason.
  if (problem.isPage) {
    const description = 'There are no users in the system.'
    return showToast({ kind: 'error', title: 'No data to download', description })
  }
  const description = problem.message ?? 'An error occurred'
  showToast({ kind: 'error', title: 'Download failed', description })
}

/** The actions of the users page outside its table. */
export function UsersActions() {
  return (
    <div className="grid w-full grid-cols-2 gap-2 tiny:grid-cols-1 sm:w-auto *:px-1 sm:flex sm:flex-wrap sm:*:px-4">
      <DialogLink dialog="quick" look="primary">
        <Icon name="zap" className="size-4" /> Quick Create
      </DialogLink>
      <DialogLink dialog="create">
        <Icon name="user-plus" className="size-4" /> Create User
      </DialogLink>
      <ButtonLink look="plain" to={paths.admin.importUsers}>
        <Icon name="users" className="size-4" /> Import users
      </ButtonLink>
      {/* The response is a file, not a page. Without scripts the browser requests it directly. */}
      <a
        href={paths.admin.exportUsers}
        onClick={(event) => {
          event.preventDefault()
          void downloadUsers()
        }}
        className={buttonClass('plain')}
      >
        <Icon name="download" className="size-4" /> Download All Data
      </a>
      <DialogLink dialog="reset-all" className="col-span-2 tiny:col-span-1">
        <Icon name="rotate-ccw" className="size-4" /> Reset All Counters
      </DialogLink>
    </div>
  )
}
