import { Form } from '@remix-run/react'
import type { UserTableQuery } from '~/domain/administration/list-schemas'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { HiddenFields } from '../ui/action-form'
import { Button } from '../ui/button'
import { SelectField } from '../ui/field'
import { Icon } from '../ui/icon'
import { useActionForm } from '../ui/use-action-form'
import { BULK_ACTION_DEFAULTS, BulkActionFields, type BulkActionValues } from './bulk-action-fields'
import { useTickedUsers } from './users-selection'
import { SELECTION_FORM } from './users-table'

export type Scope = 'chosen' | 'filter'

type Props = {
  query: UserTableQuery
  /** The users that the change applies to. */
  scope: Scope
  onScope: (scope: Scope) => void
  isOpen: boolean
}

/**
 * The form for changing many users: the action, and whether it applies to the ticked users or to
 * all users that match the filter. While users are ticked it stays in sight.
 */
export function BulkBar({ query, scope, onScope, isOpen }: Props) {
  const { search, role, status, filter } = query
  const ticked = useTickedUsers()
  const [form, fields] = useActionForm<BulkActionValues & { scope: string }>(SELECTION_FORM, {
    defaultValue: BULK_ACTION_DEFAULTS,
  })
  return (
    <details open={isOpen} className="bulk-bar group/bulk rounded-lg border border-line bg-surface">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 text-sm font-medium [&::-webkit-details-marker]:hidden">
        {ticked > 0 && scope === 'chosen'
          ? `Change ${plural(ticked, 'user')}`
          : 'Change several users'}
        <Icon name="chevron-down" className="size-4 group-open/bulk:rotate-180" />
      </summary>
      <Form
        {...form}
        action={paths.admin.changeUsers}
        className="grid gap-3 border-t border-line p-4 sm:grid-cols-2 sm:items-end xl:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]"
      >
        <HiddenFields fields={{ search, role, status, filter: filter ?? '' }} />
        <SelectField
          field={fields.scope}
          label="Users"
          value={scope}
          onChange={({ currentTarget }) =>
            onScope(currentTarget.value === 'filter' ? 'filter' : 'chosen')
          }
          options={[
            { value: 'chosen', label: 'Selected users' },
            { value: 'filter', label: 'All found (no admins)' },
          ]}
        />
        <BulkActionFields fields={fields} />
        <Button look="plain">Preview</Button>
      </Form>
    </details>
  )
}
