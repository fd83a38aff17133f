import { Link } from '@remix-run/react'
import { memo } from 'react'
import { CELLS, type Cell } from '~/domain/batches/types'
import { paths } from '~/lib/paths'

type Props = { batchId: string; cells: string }

/** How full a cell is shows its state, as its colour does. */
export const LOOKS = {
  w: 'cell',
  m: 'cell cell-making',
  d: 'cell cell-done',
  f: 'cell cell-failed',
  c: 'cell cell-cancelled',
  '-': 'cell cell-gone',
} as const satisfies Record<Cell, string>

const isCell = (letter: string): letter is Cell => letter in CELLS

/** A batch at a glance: one cell per prompt, in order, with a link to its video. */
export const BatchStrip = memo(function BatchStrip({ batchId, cells }: Props) {
  const letters = Array.from(cells).filter(isCell)
  return (
    <div className="space-y-1.5">
      <ol className="strip" aria-label="Prompts in order">
        {letters.map((cell, index) => {
          const name = `${index + 1}: ${CELLS[cell]}`
          const look = { className: LOOKS[cell], 'aria-label': name, 'data-tooltip': name }
          return (
            <li key={index}>
              {cell === '-' ? (
                <span role="img" {...look} />
              ) : (
                <Link to={paths.inBatch(batchId, index + 1)} {...look} />
              )}
            </li>
          )
        })}
      </ol>
      <Legend shown={new Set(letters)} />
    </div>
  )
})

const ORDER = ['w', 'm', 'd', 'f', 'c', '-'] as const satisfies readonly Cell[]

/** Explains the looks of the cells. Hidden from screen readers, because each cell has a name. */
function Legend({ shown }: { shown: ReadonlySet<Cell> }) {
  return (
    <p aria-hidden className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-soft">
      {ORDER.filter((cell) => shown.has(cell)).map((cell) => (
        <span key={cell} className="flex items-center gap-1">
          <span className={`${LOOKS[cell]} !h-4 w-4`} />
          {CELLS[cell]}
        </span>
      ))}
    </p>
  )
}
