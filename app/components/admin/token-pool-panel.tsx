import { useLocation } from '@remix-run/react'
import { Plus, Trash2 } from 'lucide-react'
import { lastsText } from '~/domain/tokens/rules'
import type { PoolSummary, PoolTokenHealth } from '~/domain/tokens/types'
import type { FormFailure } from '~/http/forms/forms.server'
import { readDialog } from '~/lib/dialog-address'
import { plural } from '~/lib/text'
import { ActionForm } from '../ui/action-form'
import { Card } from '../ui/card'
import { ConfirmDialog } from '../ui/confirm'
import { DialogLink } from '../ui/dialog-link'
import { Field, TextAreaField } from '../ui/field'
import { StatCards } from '../ui/stat-cards'
import { SubmitButton } from '../ui/submit-button'
import { typedText } from '../ui/typed-text'
import { useBulkAdd } from './use-bulk-add'

type Failed = Pick<FormFailure, 'intent' | 'result'> | null
type PanelProps = { summary: PoolSummary; failure: Failed }

/**
 * A summary of the pool, and the forms that add tokens. They post to the page that contains them.
 */
export function TokenPoolPanel({ summary, failure }: PanelProps) {
  const { total, ok, cooling, dead, diedToday } = summary
  const stats = [
    { label: 'In the pool', value: total },
    { label: 'OK', value: ok },
    { label: 'Cooling', value: cooling },
    { label: 'Dead', value: dead },
  ]
  return (
    <div className="space-y-4">
      <StatCards label="Extra Tokens Pool" stats={stats} />
      <p className="text-sm text-soft">{lastsText(ok, diedToday, total)}</p>
      <div className="grid gap-4 lg:grid-cols-2">
        <AddOne failure={failure} />
        <AddMany failure={failure} />
      </div>
      {total > 0 && (
        <DialogLink dialog="remove-all">
          <Trash2 aria-hidden className="size-4" />
          Delete All
        </DialogLink>
      )}
    </div>
  )
}

function AddOne({ failure }: Pick<PanelProps, 'failure'>) {
  const typed = failure?.intent === 'add-token' ? failure.result : undefined
  return (
    <Card title="Add Token">
      <ActionForm intent="add-token" preventScrollReset className="space-y-3">
        <Field
          name="token"
          label="Token"
          autoComplete="off"
          spellCheck={false}
          defaultValue={typedText(typed, 'token')}
          errors={typed?.error?.token}
          hint="Joins the end of the pool. It is stored encrypted and never shown again."
        />
        <SubmitButton intent="add-token" pending="Adding...">
          <Plus aria-hidden className="size-4" />
          Add Token
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}

/** With scripts each line is a separate call, so that a long list shows its progress. */
function AddMany({ failure }: Pick<PanelProps, 'failure'>) {
  const typed = failure?.intent === 'add-tokens' ? failure.result : undefined
  const { progress, problems, add } = useBulkAdd()
  return (
    <Card title="Bulk Add">
      <ActionForm
        intent="add-tokens"
        preventScrollReset
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          const box = event.currentTarget.elements.namedItem('tokens')
          if (!(box instanceof HTMLTextAreaElement)) return
          void add(box.value).then((left) => (box.value = left))
        }}
      >
        <TextAreaField
          name="tokens"
          label="Tokens, one per line"
          rows={4}
          autoComplete="off"
          spellCheck={false}
          defaultValue={typedText(typed, 'tokens')}
          errors={problems.length > 0 ? problems : typed?.error?.tokens}
        />
        <SubmitButton intent="add-tokens" disabled={progress !== null}>
          <Plus aria-hidden className="size-4" />
          {progress ?? 'Add All Tokens'}
        </SubmitButton>
      </ActionForm>
    </Card>
  )
}

type DialogProps = { tokens: readonly PoolTokenHealth[]; total: number }

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
        fields={{ id: token.id }}
        confirmLabel="Remove"
      />
    )
  }
  if (name !== 'remove-all') return null
  return (
    <ConfirmDialog
      title="Delete all tokens?"
      text={<p>{plural(total, 'token')} will leave the pool. Users who hold one keep it.</p>}
      intent="remove-all"
      confirmLabel="Delete All"
    />
  )
}
