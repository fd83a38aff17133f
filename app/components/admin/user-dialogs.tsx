import type { ManagedUser } from '~/domain/administration/types'
import type { ShownCredentials } from '~/http/session/credentials-once.server'
import { paths } from '~/lib/paths'
import { figure, plural } from '~/lib/figures'
import { ButtonLink } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { useActionForm } from '../ui/use-action-form'
import { ExportTokensDialog } from './export-tokens-dialog'
import { CredentialsDialog } from './credentials-dialog'
import { SECOND_FACTOR, SecondFactorDialog, SecondFactorLink } from './second-factor-dialog'
import { CreateUserForm, EditUserForm, QuickCreateForm } from './user-forms'

type Props = {
  dialog: string | null
  /** The user that the dialog is about, if any. */
  user: ManagedUser | null
  /** Whether this user has two-step sign-in. */
  hasSecondFactor: boolean
  credentials: ShownCredentials | null
  deletable: number | null
}

/** The dialog that the URL of the users page asks for. */
export function UserDialogs(props: Props) {
  const { dialog, user, hasSecondFactor, credentials, deletable } = props
  if (dialog === 'credentials' && credentials)
    return <CredentialsDialog credentials={credentials} />
  if (dialog === 'create') {
    return (
      <Dialog title="Create User">
        <CreateUserForm />
      </Dialog>
    )
  }
  if (dialog === 'quick') {
    return (
      <Dialog title="Quick Create" width="narrow">
        <QuickCreateForm />
      </Dialog>
    )
  }
  if (dialog === 'delete-all' && deletable !== null)
    return <DeleteAllDialog deletable={deletable} />
  if (dialog === 'reset-all') return <ResetAllDialog />
  if (dialog === 'export-tokens') return <ExportTokensDialog />
  if (dialog === null || !ABOUT_SOMEBODY.includes(dialog)) return null
  if (!user) return <MissingUserDialog />
  if (dialog === SECOND_FACTOR) return <SecondFactorDialog user={user} />
  return <UserDialog dialog={dialog} user={user} hasSecondFactor={hasSecondFactor} />
}

const ABOUT_SOMEBODY = ['edit', 'reset', 'delete', SECOND_FACTOR]

/** For a URL whose user has been deleted in the meantime. */
const MissingUserDialog = () => (
  <Dialog title="This user does not exist">
    <p className="mb-6 text-sm text-soft">
      The account has been deleted, or never existed. Deleted users are kept in the trash for 7
      days.
    </p>
    <ButtonLink to={paths.admin.userTrash} look="plain" className="w-full sm:w-auto">
      Open the trash
    </ButtonLink>
  </Dialog>
)

type UserDialogProps = {
  dialog: string
  user: ManagedUser
  hasSecondFactor: boolean
}

function UserDialog({ dialog, user, hasSecondFactor }: UserDialogProps) {
  const fields = { id: user.id }
  if (dialog === 'edit') {
    return (
      <Dialog title={`Edit ${user.username}`}>
        <EditUserForm key={user.id} user={user} />
        {hasSecondFactor && <SecondFactorLink id={user.id} />}
      </Dialog>
    )
  }
  if (dialog === 'reset') {
    return (
      <ConfirmDialog
        title={`Reset the counter of ${user.username}?`}
        text={`${plural(user.videosGeneratedToday, 'video')} of today and ${figure(user.videosGeneratedThisMonth)} of this month become 0. The user can generate again today.`}
        intent="reset-counter"
        fields={fields}
        confirmLabel="Reset counter"
        isDangerous={false}
      />
    )
  }
  if (dialog !== 'delete') return null
  return (
    <ConfirmDialog
      title={`Delete ${user.username}?`}
      text="The user is signed out at once, and queued videos are cancelled. The account and its videos are kept in the trash for 7 days and can be restored."
      intent="delete-user"
      fields={fields}
      confirmLabel="Delete user"
    />
  )
}

const ResetAllDialog = () => (
  <ConfirmDialog
    title="Reset all counters?"
    text="The counters for today and this month become 0 for every user, who can use the whole quota again today."
    intent="reset-all"
    confirmLabel="Reset all counters"
  />
)

/** This deletes so much that one click is not enough: the administrator types the number. */
function DeleteAllDialog({ deletable }: { deletable: number }) {
  const [form, { count }] = useActionForm<{ count: string }>('delete-all')
  return (
    <ConfirmDialog
      {...form}
      title="Delete all users?"
      text={`All ${figure(deletable)} users and editors are moved to the trash for 7 days, with all their videos. Administrators stay. Type ${figure(deletable)} to continue.`}
      intent="delete-all"
      confirmLabel="Delete All Users"
    >
      <Field field={count} label="Number of users" inputMode="numeric" autoComplete="off" />
    </ConfirmDialog>
  )
}
