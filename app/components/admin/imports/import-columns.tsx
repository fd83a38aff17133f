import { ACCOUNT_COLUMNS, COLUMN_NAMES } from '~/domain/administration/account-fields'
import type { ImportHeading } from '~/domain/administration/types'
import { FieldFrame, lineClass, Options } from '../../ui/field-frame'

const OPTIONS = [
  { value: '', label: 'Not used' },
  ...COLUMN_NAMES.map((value) => ({ value, label: ACCOUNT_COLUMNS[value].label })),
]

/** What the columns of a table are taken for, to be corrected. Open while one of them is not known. */
export function ImportColumns({ headings }: { headings: readonly ImportHeading[] }) {
  if (headings.length === 0) return null
  const columns = headings.map(({ column }) => column)
  const isNameless = !columns.includes('username') && !columns.includes('phone')
  const isAsked = columns.includes(null)
  return (
    <details open={isAsked} className="rounded border border-line px-3 py-2">
      <summary className="cursor-pointer py-1.5 text-sm font-medium">
        {isAsked ? 'We read these columns. Say what the others are' : 'We read these columns'}
      </summary>
      <p role="status" className="text-sm text-soft">
        {isNameless
          ? 'Which column has the phone numbers? Choose Phone for it, then check again.'
          : 'Choose what each one is, or leave it unused, then check or import. Names and notes become the note about a customer.'}
      </p>
      <div className="grid grid-cols-1 gap-3 py-2 sm:grid-cols-3">
        {headings.map(({ text, column }, i) => (
          <FieldFrame key={`${i} ${text} ${column}`} id={`import-column-${i}`} label={text}>
            <input type="hidden" name="heading" value={text} />
            <select
              id={`import-column-${i}`}
              name="column"
              defaultValue={column ?? ''}
              className={lineClass}
            >
              <Options options={OPTIONS} />
            </select>
          </FieldFrame>
        ))}
      </div>
    </details>
  )
}
