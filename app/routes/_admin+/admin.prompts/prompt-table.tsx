import { Form, useLocation, useSearchParams } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { PromptView } from '~/domain/prompts/types'
import { dialogAddress } from '~/lib/dialog-address'
import { ActionForm } from '~/components/ui/action-form'
import { Badge } from '~/components/ui/badge'
import { Button, buttonClass } from '~/components/ui/button'
import { ConfirmLink } from '~/components/ui/confirm'
import { CopyButton } from '~/components/ui/copy-button'
import { DataCell, DataRow, DataTable } from '~/components/ui/data-table'
import { DialogLink } from '~/components/ui/dialog-link'
import { Icon } from '~/components/ui/icon'
import { RowBox } from '~/components/ui/row-box'
import { SubmitButton } from '~/components/ui/submit-button'
import { showToast } from '~/components/ui/toasts'
import { useHydrated } from '~/components/ui/use-hydrated'

const COLUMNS = [
  { label: 'Select', className: 'w-12' },
  'Prompt',
  { label: 'Copies', className: 'w-20' },
  { label: 'Status', className: 'w-24' },
  { label: 'Actions', className: 'w-56' },
]

const SELECTION = 'prompt-selection'

/**
 * The library. The checkboxes belong to a form that opens a confirmation
 * (`?dialog=delete-selected&promptIds=…`). Scripts only count the ticked boxes.
 */
export function PromptTable({ prompts }: { prompts: PromptView[] }) {
  const [search] = useSearchParams()
  const asked = new Set(search.getAll('promptIds'))
  const [count, setCount] = useState(asked.size)
  const isHydrated = useHydrated()
  const table = useRef<HTMLElement>(null)
  const recount = () => {
    const ticked = table.current?.querySelectorAll('input[name=promptIds]:checked')
    setCount(ticked?.length ?? 0)
  }
  // What was ticked before the scripts loaded, and what is still ticked in a new list.
  useEffect(recount, [prompts])
  return (
    <section ref={table} aria-label="Library" className="space-y-3" onChange={recount}>
      <Form id={SELECTION} preventScrollReset className="flex justify-end">
        <input type="hidden" name="dialog" value="delete-selected" />
        <Button look="plain" disabled={isHydrated && count === 0}>
          <Icon name="trash-2" className="size-4" />
          {isHydrated ? `Delete Selected (${count})` : 'Delete Selected'}
        </Button>
      </Form>
      <DataTable caption="Prompts" columns={COLUMNS}>
        {prompts.map((prompt) => (
          <Row key={prompt.id} prompt={prompt} isSelected={asked.has(prompt.id)} />
        ))}
      </DataTable>
    </section>
  )
}

function Row({ prompt, isSelected }: { prompt: PromptView; isSelected: boolean }) {
  const { id, text, copyCount, isCurrent } = prompt
  return (
    <DataRow>
      <DataCell>
        <RowBox
          form={SELECTION}
          name="promptIds"
          value={id}
          defaultChecked={isSelected}
          aria-label={`Select: ${text}`}
        />
      </DataCell>
      <DataCell place="rest">{text}</DataCell>
      <DataCell label="Copies" className="tabular-nums">
        {copyCount}
      </DataCell>
      <DataCell>
        {isCurrent ? (
          <Badge tone="accent">Current</Badge>
        ) : (
          <span className="hidden wide:inline">-</span>
        )}
      </DataCell>
      <DataCell place="end">
        <Actions prompt={prompt} />
      </DataCell>
    </DataRow>
  )
}

const ICON = '!px-2.5'

function Actions({ prompt }: { prompt: PromptView }) {
  const { id, text, isCurrent } = prompt
  const { search } = useLocation()
  return (
    <div className="-mr-2.5 flex flex-wrap wide:mr-0 wide:flex-nowrap">
      <CopyButton
        text={text}
        label="Copy"
        className={ICON}
        onCopied={() => showToast({ kind: 'success', title: 'Copied' })}
        onFailed={() => showToast({ kind: 'error', title: 'Failed to copy' })}
      />
      {!isCurrent && <SetDaily promptId={id} />}
      <DialogLink
        dialog="edit"
        on={id}
        look="quiet"
        aria-label="Edit"
        data-tooltip="Edit"
        className={ICON}
      >
        <Icon name="pencil" className="size-4" />
      </DialogLink>
      <ConfirmLink
        to={dialogAddress(search, 'delete', id)}
        question="Delete this prompt?"
        intent="delete"
        failed="Failed to delete prompt"
        fields={{ promptId: id }}
        label="Delete"
        className={buttonClass('quiet', `${ICON} text-bad`)}
      >
        <Icon name="trash-2" className="size-4" />
      </ConfirmLink>
    </div>
  )
}

/** Makes a prompt the daily prompt. */
function SetDaily({ promptId }: { promptId: string }) {
  return (
    <ActionForm intent="set-daily" failed="Failed to set daily prompt" preventScrollReset>
      <input type="hidden" name="promptId" value={promptId} />
      <SubmitButton
        intent="set-daily"
        look="quiet"
        aria-label="Set Daily"
        data-tooltip="Set Daily"
        className="!px-2.5"
      >
        <Icon name="calendar-check" className="size-4" />
      </SubmitButton>
    </ActionForm>
  )
}
