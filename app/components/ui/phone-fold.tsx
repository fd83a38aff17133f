import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode, type RefObject } from 'react'
import { buttonClass } from './button'

type Props = {
  label: string
  /** Unfolded from the start; later it is the visitor's choice. */
  isOpen?: boolean
  /** For a page that folds or unfolds it later. */
  details?: RefObject<HTMLDetailsElement>
  children: ReactNode
}

/**
 * What phones show when they are asked, and wider screens always; works without scripts. The details
 * element holds only its heading, and what it folds is its neighbour: only the newest browsers
 * let a style show the content of a closed one.
 */
export function PhoneFold({ label, isOpen = false, details, children }: Props) {
  const [isOpenAtFirst] = useState(isOpen)
  return (
    <>
      <details ref={details} open={isOpenAtFirst} className="group/fold peer sm:hidden">
        <summary
          className={buttonClass(
            'plain',
            'w-full cursor-pointer [&::-webkit-details-marker]:hidden',
          )}
        >
          {label}
          <ChevronDown
            aria-hidden
            className="size-4 transition-transform group-open/fold:rotate-180 motion-reduce:transition-none"
          />
        </summary>
      </details>
      <div className="contents max-sm:hidden max-sm:peer-open:block max-sm:peer-open:basis-full max-sm:peer-open:[grid-column:1/-1]">
        {children}
      </div>
    </>
  )
}

type FiltersProps = {
  /** Which of the filters narrow or sort the list; any of them lays all open. */
  chosen: readonly boolean[]
  children: ReactNode
}

/** The filters of a list beside its search, folded away on phones while none is chosen. */
export function FiltersFold({ chosen, children }: FiltersProps) {
  const count = chosen.filter(Boolean).length
  return (
    <PhoneFold label={count === 0 ? 'Filters' : `Filters (${count})`} isOpen={count > 0}>
      {children}
    </PhoneFold>
  )
}
