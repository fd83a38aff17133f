import { useLocation } from '@remix-run/react'
import type { input } from 'zod'
import { keyFields } from '~/domain/administration/shown'
import { nameOfKey, UNDO_HOURS, type KeyView } from '~/domain/tokens/desk-rules'
import type { editKeyInput } from '~/domain/tokens/desk-schemas'
import { readDialog } from '~/lib/dialog-address'
import { plural } from '~/lib/figures'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { ConfirmDialog } from '../../ui/confirm'
import { Dialog, DialogButtons } from '../../ui/dialog'
import { Field, TextAreaField } from '../../ui/field'
import { SubmitButton } from '../../ui/submit-button'
import { useShownForm } from '../../ui/use-shown-form'
import { DeleteAllDialog } from './token-pool-panel'

const UNDO = `This can be undone for ${UNDO_HOURS} hours.`

type Props = { keys: readonly KeyView[]; dead: number; total: number }

/** The dialogs of the token desk, opened by the URL. */
export function KeyDialogs({ keys, dead, total }: Props) {
  const { search } = useLocation()
  const { name, on } = readDialog(new URLSearchParams(search))
  const key = keys.find(({ id }) => id === on)
  if (name === 'remove-dead' && dead > 0) return <RemoveDeadDialog dead={dead} />
  if (name === 'remove-all') return <DeleteAllDialog total={total} />
  if (!key) return null
  if (name === 'edit-key') {
    return (
      <Dialog title={`Edit ${nameOfKey(key)}`}>
        <EditKeyForm key={key.id} view={key} />
      </Dialog>
    )
  }
  if (name === 'replace') return <ReplaceDialog view={key} />
  if (name === 'remove') return <RemoveDialog view={key} />
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

const ReplaceDialog = ({ view }: { view: KeyView }) => (
  <ConfirmDialog
    title={`Replace ${nameOfKey(view)}?`}
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

const RemoveDialog = ({ view }: { view: KeyView }) => (
  <ConfirmDialog
    title={`Remove ${nameOfKey(view)}?`}
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
    fields={{ id: view.id }}
    confirmLabel="Remove"
  />
)

function EditKeyForm({ view }: { view: KeyView }) {
  const [form, fields, before] = useShownForm<input<typeof editKeyInput>>('edit-key', {
    shown: keyFields(view),
  })
  return (
    <ActionForm {...form} intent="edit-key" preventScrollReset className="space-y-4">
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
        <SubmitButton intent="edit-key">Save</SubmitButton>
      </DialogButtons>
      <HiddenFields fields={before} />
    </ActionForm>
  )
}
