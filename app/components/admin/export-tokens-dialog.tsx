import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { OwnPasswordField } from '../ui/own-password-field'
import { useActionForm } from '../ui/use-action-form'

/**
 * Asks for the administrator's password, so that a person at an unattended browser cannot download
 * all tokens.
 */
export function ExportTokensDialog() {
  const [form, fields] = useActionForm<{ password: string }>('export-tokens')
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
          Data; the audit log notes it.
        </p>
        <OwnPasswordField field={fields.password} />
        <Button className="w-full">Download with tokens</Button>
      </ActionForm>
    </Dialog>
  )
}
