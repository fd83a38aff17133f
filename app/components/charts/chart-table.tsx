import { Link } from '@remix-run/react'
import { textLinkClass } from '../ui/text-link'
import { shownValue, type Bar, type Series } from './types'

type Props = {
  caption: string
  /** The heading of the first column: what a row stands for. */
  unit: string
  series: readonly Series[]
  rows: readonly Bar[]
}

const CELL = 'pl-3 text-right tiny:block tiny:pl-0 tiny:text-left'

/**
 * The values of a chart, newest first, folded until somebody wants them. Where three columns have no
 * room, each value stands on a line of its own under the row's name.
 */
export function ChartTable({ caption, unit, series, rows }: Props) {
  return (
    <details className="-mb-2 mt-1 text-sm">
      <summary className="min-h-11 cursor-pointer py-3 text-soft">The figures as a table</summary>
      <table className="w-full max-w-lg tabular-nums tiny:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="tiny:sr-only">
          <tr className="border-b border-line text-soft">
            <th scope="col" className="py-2 text-left font-medium">
              {unit}
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="py-2 pl-3 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="tiny:block">
          {[...rows].reverse().map((row) => (
            <tr key={row.name} className="border-b border-line last:border-0 tiny:block tiny:pb-2">
              <th scope="row" className="text-left font-normal tiny:block">
                <RowName row={row} />
              </th>
              {series.map(({ name }, order) => (
                <td key={name} className={CELL}>
                  <span className="hidden text-soft tiny:inline">{name} </span>
                  {shownValue(row, order)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function RowName({ row: { name, to } }: { row: Bar }) {
  if (to === undefined) return <span className="inline-flex min-h-9 items-center">{name}</span>
  return (
    <Link to={to} className={`${textLinkClass} sm:min-h-9`}>
      {name}
    </Link>
  )
}
