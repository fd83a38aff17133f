import type { input } from 'zod'
import type { passwordAndCode } from '~/domain/accounts/schemas'
import type { ForeseenRenewal } from '~/domain/administration/changes/foresee-renewal.server'
import type { ManagedUser } from '~/domain/administration/types'
import type { ShownCredentials } from '~/http/session/credentials-once.server'
import { paths } from '~/lib/paths'
import { figure, plural } from '~/lib/figures'
import { ButtonLink, Button } from '../../ui/button'
import { OwnCodeFields } from '../../ui/code-fields'
import { ConfirmDialog } from '../../ui/confirm'
import { CountDialog } from '../../ui/count-dialog'
import { Dialog } from '../../ui/dialog'
import { Field } from '../../ui/field'
import { useActionForm } from '../../ui/use-action-form'
import { CredentialsDialog } from './credentials-dialog'
import { isRenewDialog, RenewDialog } from '../customers/renew-dialog'
import { SECOND_FACTOR, SecondFactorDialog, SecondFactorLink } from './second-factor-dialog'
import { CreateUserForm, EditUserForm, QuickCreateForm } from './user-forms'
import { UnlockForm } from './unlock-form'
import { ActionForm } from '../../ui/action-form'
import { OwnPasswordField } from '../../ui/own-password-field'

type Props = {
  dialog: string | null
  /** The user that the dialog is about, if any. */
  user: ManagedUser | null
  /** What the renewal that the dialog is about will give. */
  renewal: ForeseenRenewal | null
  /** Whether this user has two-step sign-in. */
  hasSecondFactor: boolean
  /** How often signing in to the account failed lately. */
  failedSignIns: number
  credentials: ShownCredentials | null
  deletable: number | null
  /** The number of accounts. */
  total: number
  /** Key of the form that renews, so that it takes effect once if it is sent twice. */
  formKey: string
}

/** The dialog that the URL of the users page asks for. */
export function UserDialogs(props: Props) {
  const { dialog, user, credentials, deletable, total } = props
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
  if (dialog === 'reset-all') return <ResetAllDialog count={total} />
  if (dialog === 'export-tokens') return <ExportTokensDialog />
  if (dialog === null || !isAboutSomebody(dialog)) return null
  if (!user) return <MissingUserDialog />
  if (dialog === SECOND_FACTOR) return <SecondFactorDialog user={user} />
  return <UserDialog {...props} dialog={dialog} user={user} />
}

const ABOUT_SOMEBODY = ['edit', 'reset', 'delete', SECOND_FACTOR]

const isAboutSomebody = (dialog: string): boolean =>
  ABOUT_SOMEBODY.includes(dialog) || isRenewDialog(dialog)

/** For a URL whose user has been deleted in the meantime. */
export const MissingUserDialog = () => (
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

type UserDialogProps = Pick<Props, 'hasSecondFactor' | 'failedSignIns' | 'formKey' | 'renewal'> & {
  dialog: string
  user: NonNullable<Props['user']>
}

function UserDialog({ dialog, user, hasSecondFactor, failedSignIns, ...rest }: UserDialogProps) {
  const fields = { id: user.id }
  if (dialog === 'edit') {
    return (
      <Dialog title={`Edit ${user.username}`}>
        <EditUserForm key={user.id} user={user} />
        {failedSignIns > 0 && <UnlockForm id={user.id} failed={failedSignIns} />}
        {hasSecondFactor && <SecondFactorLink id={user.id} />}
      </Dialog>
    )
  }
  if (isRenewDialog(dialog)) return <RenewDialog name={dialog} user={user} {...rest} />
  if (dialog === 'reset') {
    return (
      <ConfirmDialog
        title={`Reset the counter of ${user.username}?`}
        text={`${plural(user.videosGeneratedToday, 'video')} of today and ${figure(user.videosGeneratedThisMonth)} of this month become 0. The user can generate again today.`}
        intent="reset-counter"
        failed="Failed to reset counter"
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
      failed="Failed to delete user"
      fields={fields}
      confirmLabel="Delete user"
    />
  )
}

const ResetAllDialog = ({ count }: { count: number }) => (
  <CountDialog
    title="Reset all counters?"
    text={`The counters for today and this month become 0 for all ${plural(count, 'user')}, who can use the whole quota again today. It cannot be undone.`}
    count={count}
    intent="reset-all"
    failed="Failed to reset counters"
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
      failed="Failed to delete users"
      confirmLabel="Delete All Users"
    >
      <Field field={count} label="Number of users" inputMode="numeric" autoComplete="off" />
    </ConfirmDialog>
  )
}

/**
 * Asks for the administrator's password, so that a person at an unattended browser cannot download
 * all tokens.
 */
function ExportTokensDialog() {
  const [form, fields] = useActionForm<input<typeof passwordAndCode>>('export-tokens')
  return (
    <Dialog title="Download with tokens" width="narrow">
      {/* The response is a file, so the browser has to send the form itself. */}
      <ActionForm
        {...form}
        intent="export-tokens"
        action={paths.admin.exportUsers}
        reloadDocument
        className="space-y-4"
      >
        <p className="text-sm text-soft">
          The file contains every user’s token in plain text. Everything else is as in Download All
          Data; the activity log notes it.
        </p>
        <OwnPasswordField field={fields.password} />
        <OwnCodeFields fields={fields} />
        <Button className="w-full">Download with tokens</Button>
      </ActionForm>
    </Dialog>
  )
}
