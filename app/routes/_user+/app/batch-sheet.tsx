import { Link, useLocation, useNavigate } from '@remix-run/react'
import { memo, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { CELLS, type BatchSheet as Sheet, type Cell } from '~/domain/batches/types'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { useElementId } from '~/components/ui/use-element-id'
import { useHydrated } from '~/components/ui/use-hydrated'
import { isPlainPress } from '~/components/ui/plain-press'
import { SheetPoster } from './sheet-poster'
import { useRoving } from './use-roving'

type Props = {
  batchId: string
  /** One `Cell` per prompt, in order. */
  cells: string
  /** The prompts and videos of the cells. Null until the page knows them. */
  sheet: Sheet | null
  /** Whether the batch has ended: then what was cancelled is only counted, above the sheet. */
  isEnded: boolean
}

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

/** The fewer frames, the larger they are: the whole sheet stays about as high as the window. */
const GRIDS = [
  { most: 12, grid: 'grid-cols-[repeat(auto-fill,minmax(3.25rem,1fr))]' },
  { most: 40, grid: 'grid-cols-[repeat(auto-fill,minmax(2.25rem,1fr))]' },
  { most: Infinity, grid: 'grid-cols-[repeat(auto-fill,minmax(1.75rem,1fr))]' },
] as const
/**
 * Beside the composer, more frames than `FEW` are small and square, so that all of the status is in view. With
 * the gap they are 24 px apart, the least for a target (WCAG 2.5.8). On a phone two rows of them are shown.
 */
const MANY =
  'max-md:grid-cols-7 lg:grid-cols-[repeat(auto-fill,minmax(1.25rem,1fr))] lg:[&_.cell]:aspect-square'
const FEW = 24
/** So many frames stand on a phone, and a link to the others. */
const NEAR = 13

/** Returns which frames a phone shows: those around the first one that is not made. Null: all. */
function nearOf(cells: readonly Cell[]): { from: number; to: number } | null {
  if (cells.length <= FEW) return null
  const next = cells.findIndex((cell) => cell === 'w' || cell === 'm')
  const from = Math.max(0, Math.min(next === -1 ? 0 : next - 3, cells.length - NEAR))
  return { from, to: from + NEAR }
}

const isFar = ({ from, to }: { from: number; to: number }, at: number) => at < from || at >= to

/**
 * A batch as a contact sheet: one frame per prompt, in order, which shows the state of its video and
 * becomes its poster when it lands. A frame leads to its video; with scripts a press plays a ready
 * one, and the sheet is one stop of the Tab key, in which the arrow keys move.
 */
export const BatchSheet = memo(function BatchSheet({ batchId, cells, sheet, isEnded }: Props) {
  const letters = Array.from(cells).filter(isCell)
  const shown = letters
    .map((cell, index) => ({ cell, index }))
    .filter(({ cell }) => !isEnded || cell !== 'c')
  const near = nearOf(shown.map(({ cell }) => cell))
  // What was ready when the sheet was opened has landed before.
  const [before] = useState(cells)
  const isHydrated = useHydrated()
  const { list, stop, onKeyDown, onFocus } = useRoving(
    shown.map(({ cell }) => cell !== '-'),
    { isActive: isHydrated, first: near?.from ?? 0 },
  )
  const helpId = useElementId()
  const grid = GRIDS.find(({ most }) => shown.length <= most)?.grid ?? ''
  if (shown.length === 0) return null
  return (
    <div className="space-y-1.5">
      <ol
        ref={list}
        className={`sheet ${grid} ${sheet?.isWide ? 'sheet-wide' : ''} ${near ? MANY : ''}`}
        aria-label="Prompts in order"
        aria-describedby={isHydrated ? helpId : undefined}
      >
        {shown.map(({ cell, index }, at) => (
          <li key={index} className={near && isFar(near, at) ? 'max-md:hidden' : undefined}>
            <Frame
              place={index + 1}
              cell={cell}
              batchId={batchId}
              frame={sheet?.frames[index]}
              isNew={before[index] !== 'd'}
              tabIndex={isHydrated ? (at === stop ? 0 : -1) : undefined}
              onKeyDown={(event) => onKeyDown(event, at)}
              onFocus={() => onFocus(at)}
            />
          </li>
        ))}
        {near && (
          <li className="md:hidden">
            <Link
              to={paths.batchPage(batchId)}
              className="cell size-full"
              aria-label={`${shown.length - NEAR} more prompts`}
            >
              +{shown.length - NEAR}
            </Link>
          </li>
        )}
      </ol>
      <span id={helpId} hidden>
        The arrow keys move from prompt to prompt.
      </span>
      <Legend shown={new Set(shown.map(({ cell }) => cell))} />
    </div>
  )
})

type FrameProps = {
  place: number
  cell: Cell
  batchId: string
  frame: Sheet['frames'][number] | undefined
  isNew: boolean
  tabIndex: number | undefined
  onKeyDown: (event: KeyboardEvent) => void
  onFocus: () => void
}

function Frame({ place, cell, batchId, frame, isNew, ...keys }: FrameProps) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const name = `${place}: ${[frame?.prompt, CELLS[cell]].filter(Boolean).join(', ')}`
  const look = { className: LOOKS[cell], 'aria-label': name, 'data-tooltip': name }
  if (cell === '-') return <span role="img" {...look} />
  const id = cell === 'd' ? (frame?.id ?? null) : null
  const play = (event: MouseEvent) => {
    if (id === null || !isPlainPress(event)) return
    event.preventDefault()
    navigate(dialogAddress(search, 'preview', id), { preventScrollReset: true })
  }
  return (
    <Link to={paths.inBatch(batchId, place)} onClick={play} {...keys} {...look}>
      {id !== null && <SheetPoster id={id} isNew={isNew} />}
    </Link>
  )
}

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
