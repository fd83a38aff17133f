import { useState, type ReactNode } from 'react'
import { buttonClass } from './button'
import { Icon } from './icon'

type Props = {
  label: string
  /** Whether it is initially open. Later changes are the user's. */
  isOpen?: boolean
  /** Folded below this width too. Default: only on phones. */
  below?: keyof typeof FOLDS
  /** Three dots stand for the label. */
  isSign?: boolean
  children: ReactNode
}

const FOLDS = {
  sm: {
    head: 'sm:hidden',
    body: 'max-sm:hidden max-sm:peer-open:block max-sm:peer-open:basis-full max-sm:peer-open:[grid-column:1/-1]',
  },
  lg: {
    head: 'lg:hidden',
    body: 'max-lg:hidden max-lg:peer-open:block max-lg:peer-open:basis-full',
  },
} as const

/**
 * Content that is folded on phones, or on all narrow screens, and always visible on wider ones. Works
 * without scripts. The details element contains only the heading, and the content is its sibling,
 * because only the newest browsers let a style show the content of a closed details element.
 */
export function PhoneFold({ label, isOpen = false, children, ...look }: Props) {
  const { below = 'sm', isSign = false } = look
  const { head, body } = FOLDS[below]
  const [isOpenAtFirst] = useState(isOpen)
  return (
    <>
      <details open={isOpenAtFirst} className={`group/fold peer ${head}`}>
        <summary
          className={buttonClass(
            'plain',
            'w-full cursor-pointer whitespace-nowrap max-lg:px-3 [&::-webkit-details-marker]:hidden',
          )}
        >
          <span className={isSign ? 'sr-only' : undefined}>{label}</span>
          <Icon
            name={isSign ? 'ellipsis' : 'chevron-down'}
            className="size-4 transition-transform group-open/fold:rotate-180 motion-reduce:transition-none"
          />
        </summary>
      </details>
      <div className={`contents ${body}`}>{children}</div>
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
  return (
    <PhoneFold label={filtersLabel(chosen)} isOpen={chosen.includes(true)}>
      {children}
    </PhoneFold>
  )
}

/** The heading of folded filters: 'Filters', or 'Filters (2)' if two of them are chosen. */
export function filtersLabel(chosen: readonly boolean[]): string {
  const count = chosen.filter(Boolean).length
  return count === 0 ? 'Filters' : `Filters (${count})`
}
