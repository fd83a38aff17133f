import { Form } from '@remix-run/react'
import type { UserTableQuery } from '~/domain/administration/users/list-schemas'
import {
  isTooLarge,
  packIds,
  selectionParams,
  TOO_LARGE,
  type UserSelection,
} from '~/domain/administration/users/user-selection'
import { paths } from '~/lib/paths'
import { figure, plural } from '~/lib/figures'
import { HiddenFields } from '../../ui/action-form'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { useActionForm } from '../../ui/use-action-form'
import { BULK_ACTION_DEFAULTS, BulkActionFields, type BulkActionValues } from './bulk-action-fields'
import { SELECTION_FORM } from './users-table'

type Props = {
  query: UserTableQuery
  /** What was selected before boxes of this page were pressed: the form adds the boxes. */
  saved: UserSelection
  /** The users of this page that have a box. */
  shown: readonly string[]
  /** What is selected now. */
  selection: UserSelection
  /** What is chosen at first. */
  initial?: 'add-days' | 'renew'
}

/**
 * The form for changing the ticked users. It sends the boxes of this page and the ticks of the other
 * pages, so that nobody who is unticked is changed. While users are ticked it stays in sight.
 */
export function BulkBar({ query, saved, shown, selection, initial = 'add-days' }: Props) {
  const { page, filter, onPlan, view, ...rest } = query
  const [form, fields] = useActionForm<BulkActionValues>(SELECTION_FORM, {
    defaultValue: { ...BULK_ACTION_DEFAULTS, kind: initial },
  })
  const isAny = isSomebody(selection)
  return (
    <details
      // Opened by the server, and by what was ticked on other pages.
      open={isSomebody(saved)}
      className={`bulk-bar group/bulk rounded-lg border border-line bg-surface ${isAny ? 'bulk-bar-on' : ''}`}
    >
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 text-sm font-medium [&::-webkit-details-marker]:hidden">
        {summaryOf(selection)}
        <Icon name="chevron-down" className="size-4 group-open/bulk:rotate-180" />
      </summary>
      <Form
        {...form}
        action={paths.admin.changeUsers}
        className="grid gap-3 border-t border-line p-4 sm:grid-cols-2 sm:items-end xl:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]"
      >
        <HiddenFields
          fields={{
            ...rest,
            ...(filter && { filter }),
            ...(onPlan && { onPlan }),
            ...(view && { view }),
            at: String(page),
            ...selectionParams(saved),
            shown: packIds(shown),
          }}
        />
        <BulkActionFields fields={fields} />
        <Button look="plain">Preview</Button>
        <p className="col-span-full text-sm text-soft">
          {isTooLarge(selection)
            ? TOO_LARGE
            : 'Changes the ticked users, also those on other pages. Administrators are never included.'}
        </p>
      </Form>
    </details>
  )
}

const isSomebody = ({ scope, picked }: UserSelection): boolean =>
  scope === 'filter' || picked.length > 0

function summaryOf({ scope, picked }: UserSelection): string {
  if (scope === 'filter') {
    const rest = picked.length > 0 ? ` except ${figure(picked.length)}` : ''
    return `Change all users found${rest}`
  }
  return picked.length > 0 ? `Change ${plural(picked.length, 'user')}` : 'Change several users'
}
