import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { OwnPasswordField } from '../ui/own-password-field'

/** Who finds an open browser must not walk away with everybody's tokens: the password is asked for. */
export function ExportTokensDialog() {
  return (
    <Dialog title="Download with tokens" width="narrow">
      {/* The answer is a file, which the browser takes itself. */}
      <ActionForm
        intent="export-tokens"
        action={paths.admin.exportUsers}
        reloadDocument
        className="space-y-4"
      >
        <p className="text-sm text-soft">
          The file holds every user’s token in clear. Everything else is as in Download All Data;
          the audit log notes it.
        </p>
        <OwnPasswordField id="export-password" />
        <Button className="w-full">Download with tokens</Button>
      </ActionForm>
    </Dialog>
  )
}
