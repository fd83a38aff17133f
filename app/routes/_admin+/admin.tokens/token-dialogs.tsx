import { useLocation } from '@remix-run/react'
import type { input } from 'zod'
import { tokenFields } from '~/domain/administration/shown'
import { nameOfToken, UNDO_HOURS, type TokenView } from '~/domain/tokens/desk-rules'
import type { editTokenInput } from '~/domain/tokens/desk-schemas'
import { readDialog } from '~/lib/dialog-address'
import { plural } from '~/lib/figures'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { ConfirmDialog } from '~/components/ui/confirm'
import { Dialog, DialogButtons } from '~/components/ui/dialog'
import { Field, TextAreaField } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'
import { DeleteAllDialog } from '~/components/admin/tokens/token-pool-panel'

const UNDO = `This can be undone for ${UNDO_HOURS} hours.`

type Props = { tokens: readonly TokenView[]; dead: number; total: number }

/** The dialogs of the token desk, opened by the URL. */
export function TokenDialogs({ tokens, dead, total }: Props) {
  const { search } = useLocation()
  const { name, on } = readDialog(new URLSearchParams(search))
  const token = tokens.find(({ id }) => id === on)
  if (name === 'remove-dead' && dead > 0) return <RemoveDeadDialog dead={dead} />
  if (name === 'remove-all') return <DeleteAllDialog total={total} />
  if (!token) return null
  if (name === 'edit-token') {
    return (
      <Dialog title={`Edit ${nameOfToken(token)}`}>
        <EditTokenForm key={token.id} view={token} />
      </Dialog>
    )
  }
  if (name === 'replace') return <ReplaceDialog view={token} />
  if (name === 'remove') return <RemoveDialog view={token} />
  return null
}

const RemoveDeadDialog = ({ dead }: { dead: number }) => (
  <ConfirmDialog
    title="Remove all dead tokens?"
    text={
      <>
        <p>
          {plural(dead, 'dead token')} will be removed. Users who hold one get the next token of the
          pool when they order. Orders under way continue.
        </p>
        <p>{UNDO}</p>
      </>
    }
    intent="remove-dead"
    fields={{ expected: String(dead) }}
    confirmLabel="Remove"
  />
)

const ReplaceDialog = ({ view }: { view: TokenView }) => (
  <ConfirmDialog
    title={`Replace ${nameOfToken(view)}?`}
    text={
      <p>
        {plural(view.holderCount, 'user')} will get the next tokens of the pool, in turn. Orders
        under way continue with this one.
      </p>
    }
    intent="replace"
    fields={{ id: view.id }}
    confirmLabel="Replace"
    isDangerous={false}
  />
)

const RemoveDialog = ({ view }: { view: TokenView }) => (
  <ConfirmDialog
    title={`Remove ${nameOfToken(view)}?`}
    text={
      <>
        <p>
          Nothing will be ordered with it any more
          {view.holderCount > 0 &&
            `, and ${plural(view.holderCount, 'user')} will use the next token`}
          . Orders under way continue.
        </p>
        <p>{UNDO}</p>
      </>
    }
    intent="remove"
    failed="Failed to remove token"
    fields={{ id: view.id }}
    confirmLabel="Remove"
  />
)

function EditTokenForm({ view }: { view: TokenView }) {
  const [form, fields, before] = useShownForm<input<typeof editTokenInput>>('edit-token', {
    shown: tokenFields(view),
  })
  return (
    <ActionForm {...form} intent="edit-token" preventScrollReset className="space-y-4">
      <input type="hidden" name="id" value={view.id} />
      <Field field={fields.label} label="Label" maxLength={60} placeholder={view.label} />
      <Field
        field={fields.account}
        label="Account"
        maxLength={60}
        hint="Tokens with the same name here are paid by one account and pause together. Empty: as TOKEN_ACCOUNTS says."
      />
      <Field field={fields.paidUntil} label="Paid until" type="date" />
      <Field field={fields.costPerVideo} label="Cost per video" inputMode="decimal" />
      <TextAreaField field={fields.note} label="Note" maxLength={500} />
      <DialogButtons>
        <SubmitButton intent="edit-token">Save</SubmitButton>
      </DialogButtons>
      <HiddenFields fields={before} />
    </ActionForm>
  )
}
