import type { ReactNode } from 'react'

/** The heading of a column, unique within its table. */
type Column = string | { label: string; className: string }

type TableProps = { caption: string; columns: readonly Column[]; children: ReactNode }

const headingOf = (column: Column) =>
  typeof column === 'string' ? { label: column, className: '' } : column

/**
 * A table that becomes a list of cards where its container is narrow: on phones, and beside the
 * menu on tablets. Some browsers do not expose a restyled table as a table; there each value is
 * still read after its label.
 */
export function DataTable({ caption, columns, children }: TableProps) {
  return (
    <div className="[container-type:inline-size]">
      <table className="block w-full text-sm wide:table wide:border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead className="sr-only wide:not-sr-only wide:table-header-group">
          <tr className="wide:border-b wide:border-line">
            {columns.map(headingOf).map(({ label, className }) => (
              <th
                key={label}
                scope="col"
                className={`px-2 py-2.5 text-left font-medium text-soft ${className}`}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-2 wide:table-row-group">
          {children}
        </tbody>
      </table>
    </div>
  )
}

/**
 * A row of the table. In a narrow table it is a card whose cells follow each other as far as they
 * fit.
 */
export function DataRow({ children }: { children: ReactNode }) {
  return <tr className="data-row">{children}</tr>
}

/**
 * The place of a cell in a card: beside others, as the card's name, on a whole line, beside a
 * checkbox, or last.
 */
const PLACES = {
  beside: '',
  name: 'min-w-0 grow basis-36',
  whole: 'basis-full',
  rest: 'min-w-0 grow basis-[calc(100%-4rem)]',
  end: 'ml-auto',
} as const

type CellProps = {
  /**
   * The column's name, shown before the value in a card. Omitted if the value is clear without it.
   */
  label?: string
  place?: keyof typeof PLACES
  className?: string
  children: ReactNode
}

export function DataCell({ label, place = 'beside', className = '', children }: CellProps) {
  return (
    <td className={['data-cell', PLACES[place], className].filter(Boolean).join(' ')}>
      {label && <span className="data-label">{label}</span>}
      <div className="min-w-0 break-words">{children}</div>
    </td>
  )
}
