import { useState, type ReactNode } from 'react'
import { buttonClass } from './button'
import { Icon } from './icon'

type Props = {
  label: string
  /** Whether it is initially open. Later changes are the user's. */
  isOpen?: boolean
  children: ReactNode
}

/**
 * Content that is folded on phones, and always visible on wider screens. Works without scripts. The
 * details element contains only the heading, and the content is its sibling, because only the newest
 * browsers let a style show the content of a closed details element.
 */
export function PhoneFold({ label, isOpen = false, children }: Props) {
  const [isOpenAtFirst] = useState(isOpen)
  return (
    <>
      <details open={isOpenAtFirst} className="group/fold peer sm:hidden">
        <summary
          className={buttonClass(
            'plain',
            'w-full cursor-pointer whitespace-nowrap px-3 [&::-webkit-details-marker]:hidden',
          )}
        >
          {label}
          <Icon
            name="chevron-down"
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
  /** Which of the filters narrow or sort the list. If any does, the filters are initially open. */
  chosen: readonly boolean[]
  children: ReactNode
}

/** The filters of a list beside its search. On phones they are folded while none is chosen. */
export function FiltersFold({ chosen, children }: FiltersProps) {
  const count = chosen.filter(Boolean).length
  const label = count === 0 ? 'Filters' : `Filters (${count})`
  return (
    <PhoneFold label={label} isOpen={count > 0}>
      {children}
    </PhoneFold>
  )
}
