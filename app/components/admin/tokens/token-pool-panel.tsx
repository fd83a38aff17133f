import type { FieldMetadata } from '@conform-to/react'
import { useLocation, useSubmit } from '@remix-run/react'
import type { input } from 'zod'
import { lastsText } from '~/domain/tokens/rules'
import type { addTokenInput, addTokensInput } from '~/domain/tokens/schemas'
import type { PoolSummary, PoolTokenView, ProviderChoice } from '~/domain/tokens/types'
import { readDialog } from '~/lib/dialog-address'
import { plural } from '~/lib/figures'
import { ActionForm } from '../../ui/action-form'
import { Card } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm'
import { DialogLink } from '../../ui/dialog-link'
import { Field, SelectField, TextAreaField } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { StatCards } from '../../ui/stat-cards'
import { SubmitButton } from '../../ui/submit-button'
import { useActionForm } from '../../ui/use-action-form'
import { useBulkAdd } from './use-bulk-add'

type Props = { summary: PoolSummary; providers: readonly ProviderChoice[] }

/**
 * A summary of the pool, and the forms that add tokens. They post to the page that contains them.
 */
export function TokenPoolPanel({ summary, providers }: Props) {
  const { total, ok, cooling, spent, dead, diedToday } = summary
  const stats = [
    { label: 'In the pool', value: total },
    { label: 'OK', value: ok },
    { label: 'Paused', value: cooling },
    ...(spent > 0 ? [{ label: 'No credits', value: spent }] : []),
    { label: 'Dead', value: dead },
  ]
  return (
    <div className="space-y-4">
      <StatCards label="Extra Tokens Pool" stats={stats} />
      <p className="text-sm text-soft">{lastsText(ok, diedToday, total)}</p>
      <div className="grid gap-4 lg:grid-cols-2">
        <AddOne providers={providers} />
        <AddMany providers={providers} />
      </div>
      {total > 0 && (
        <DialogLink dialog="remove-all">
          <Icon name="trash-2" className="size-4" />
          Delete All
        </DialogLink>
      )}
    </div>
  )
}

type ChoiceProps = { field: FieldMetadata; providers: readonly ProviderChoice[] }

/** Whose tokens they are. With one provider there is nothing to choose. */
const ProviderField = ({ field, providers }: ChoiceProps) =>
  providers.length < 2 ? null : (
    <SelectField
      field={field}
      label="Provider"
      options={providers.map(({ name, kind }) => ({ value: name, label: kind }))}
    />
  )

function AddOne({ providers }: Pick<Props, 'providers'>) {
  const [form, fields] = useActionForm<input<typeof addTokenInput>>('add-token')
  return (
    <Card title="Add Token">
      <ActionForm
        {...form}
        intent="add-token"
        failed="Failed to add token"
        preventScrollReset
        className="space-y-3"
      >
        <Field
          field={fields.token}
          label="Token"
          autoComplete="off"
          spellCheck={false}
          hint="Joins the end of the pool. It is stored encrypted and never shown again."
        />
        <ProviderField field={fields.provider} providers={providers} />
        <SubmitButton intent="add-token" pending="Adding...">
          <Icon name="plus" className="size-4" />
          Add Token
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}

/** With scripts each line is a separate call, so that a long list shows its progress. */
function AddMany({ providers }: Pick<Props, 'providers'>) {
  const { progress, lastResult, add } = useBulkAdd()
  const submit = useSubmit()
  const [form, fields] = useActionForm<input<typeof addTokensInput>>('add-tokens', {
    lastResult,
    onSubmit: (event) => {
      event.preventDefault()
      const box = event.currentTarget.elements.namedItem('tokens')
      if (!(box instanceof HTMLTextAreaElement)) return
      const { currentTarget } = event
      const choice = event.currentTarget.elements.namedItem('provider')
      const provider = choice instanceof HTMLSelectElement ? choice.value : undefined
      void add(box.value, provider).then(({ lines, isForbidden }) => {
        box.value = lines
        if (isForbidden) submit(currentTarget)
      })
    },
  })
  return (
    <Card title="Bulk Add">
      <ActionForm
        {...form}
        intent="add-tokens"
        failed="Bulk import failed"
        preventScrollReset
        className="space-y-3"
      >
        <TextAreaField
          field={fields.tokens}
          label="Tokens, one per line"
          autoComplete="off"
          spellCheck={false}
          hint="A label and an account may follow: token | label | account."
          // At the end it contains the lines that were not added.
          readOnly={progress !== null}
        />
        <ProviderField field={fields.provider} providers={providers} />
        <SubmitButton intent="add-tokens" disabled={progress !== null}>
          <Icon name="plus" className="size-4" />
          {progress ?? 'Add All Tokens'}
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}

type DialogProps = { tokens: readonly PoolTokenView[]; total: number }

/** The confirmation dialogs before tokens are removed, opened by the URL. */
export function TokenPoolDialogs({ tokens, total }: DialogProps) {
  const { search } = useLocation()
  const { name, on } = readDialog(new URLSearchParams(search))
  const token = tokens.find(({ id }) => id === on)
  if (name === 'remove' && token) {
    return (
      <ConfirmDialog
        title="Remove this token?"
        text={
          <>
            <p className="break-all text-ink">{token.token}</p>
            <p>It is removed from the pool. Users who have it keep it.</p>
          </>
        }
        intent="remove"
        failed="Failed to remove token"
        fields={{ id: token.id }}
        confirmLabel="Remove"
      />
    )
  }
  return name === 'remove-all' ? <DeleteAllDialog total={total} /> : null
}

/** Asks before the pool is emptied. */
export const DeleteAllDialog = ({ total }: { total: number }) => (
  <ConfirmDialog
    title="Delete all tokens?"
    text={<p>{plural(total, 'token')} will leave the pool. Users who hold one keep it.</p>}
    intent="remove-all"
    failed="Failed to delete tokens"
    confirmLabel="Delete All"
  />
)
