import { Link } from '@remix-run/react'
import type { PageItem } from '~/lib/page-window'
import { Icon } from './icon'

type Props = {
  page: number
  totalPages: number
  /** The result of `pageWindow` or `pageNeighbours` of app/lib/page-window.ts. */
  items: readonly PageItem[]
  /** Returns the URL of a page, including the filters. */
  hrefOf: (page: number) => string
}

const ITEM = 'inline-flex h-11 min-w-11 items-center justify-center rounded px-2 text-sm'
const LINK = `${ITEM} border border-line bg-surface hover:border-edge`

/** The numbered page bar below a list. Renders nothing if there is only one page. */
export function PageBar({ page, totalPages, items, hrefOf }: Props) {
  if (totalPages < 2) return null
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-center gap-1 tabular-nums"
    >
      {page > 1 && (
        <Link to={hrefOf(page - 1)} rel="prev" className={LINK}>
          <Icon name="chevron-left" className="size-4" />
          <span className="sr-only lg:not-sr-only">Previous</span>
        </Link>
      )}
      {items.map((item, index) =>
        item === 'gap' ? (
          <span key={`gap-${index}`} className={`${ITEM} text-soft`} aria-hidden>
            …
          </span>
        ) : item === page ? (
          <span key={item} aria-current="page" className={`${ITEM} bg-accent text-accent-on`}>
            {item}
          </span>
        ) : (
          <Link key={item} to={hrefOf(item)} aria-label={`Page ${item}`} className={LINK}>
            {item}
          </Link>
        ),
      )}
      {page < totalPages && (
        <Link to={hrefOf(page + 1)} rel="next" className={LINK}>
          <span className="sr-only lg:not-sr-only">Next</span>
          <Icon name="chevron-right" className="size-4" />
        </Link>
      )}
    </nav>
  )
}
