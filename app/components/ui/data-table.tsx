/* eslint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   a table that CSS lays out as blocks is no table to some browsers unless the roles are spelled out */
import type { ReactNode } from 'react'

type Column = { key: string; label: string; className?: string }

type TableProps = { caption: string; columns: readonly Column[]; children: ReactNode }

/**
 * A table that becomes a list of cards below 768 px. Restyled tables lose their meaning in some
 * browsers, so the roles are written down.
 */
export function DataTable({ caption, columns, children }: TableProps) {
  return (
    <table role="table" className="block w-full text-sm md:table md:border-collapse">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="md:border-b md:border-line">
          {columns.map(({ key, label, className = '' }) => (
            <th
              key={key}
              role="columnheader"
              scope="col"
              className={`px-3 py-2.5 text-left font-medium text-soft ${className}`}
            >
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block space-y-3 md:table-row-group md:space-y-0">
        {children}
      </tbody>
    </table>
  )
}

/** One row; a card on small screens. */
export function DataRow({ children }: { children: ReactNode }) {
  return (
    <tr
      role="row"
      className="block rounded-lg border border-line bg-surface p-3 md:table-row md:rounded-none md:border-0 md:border-b md:bg-transparent md:last:border-0"
    >
      {children}
    </tr>
  )
}

type CellProps = {
  /** The column's name, shown beside the value on small screens; left out where the value speaks. */
  label?: string
  className?: string
  children: ReactNode
}

export function DataCell({ label, className = '', children }: CellProps) {
  return (
    <td
      role="cell"
      className={`flex items-center justify-between gap-4 py-1.5 md:table-cell md:px-3 md:py-2.5 md:align-middle ${className}`}
    >
      {label && (
        <span aria-hidden className="shrink-0 text-soft md:hidden">
          {label}
        </span>
      )}
      <span className="min-w-0 break-words text-right md:text-left">{children}</span>
    </td>
  )
}
