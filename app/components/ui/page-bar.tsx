import { Link } from '@remix-run/react'
import type { ComponentProps, ReactNode } from 'react'
import type { PageItem } from '~/lib/page-window'
import { Icon } from './icon'
import { useHydrated } from './use-hydrated'

type Props = {
  page: number
  totalPages: number
  /** The result of `pageWindow` or `pageNeighbours` of app/lib/page-window.ts. */
  items: readonly PageItem[]
  /** Returns the URL of a page, including the filters. */
  hrefOf: (page: number) => string
  /**
   * The form whose fields go along to the next page. Without scripts its pages are buttons, because
   * a link cannot know what was ticked.
   */
  carrying?: { form: string; action: string }
}

const ITEM = 'inline-flex h-11 min-w-11 items-center justify-center rounded px-2 text-sm'
const LINK = `${ITEM} border border-line bg-surface hover:border-edge`

/** The numbered page bar below a list. Renders nothing if there is only one page. */
export function PageBar({ page, totalPages, items, hrefOf, carrying }: Props) {
  const to = (number: number) => ({ number, href: hrefOf(number), carrying })
  if (totalPages < 2) return null
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-center gap-1 tabular-nums"
    >
      {page > 1 && (
        <PageLink {...to(page - 1)} rel="prev">
          <Icon name="chevron-left" className="size-4" />
          <span className="sr-only lg:not-sr-only">Previous</span>
        </PageLink>
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
          <PageLink key={item} {...to(item)} aria-label={`Page ${item}`}>
            {item}
          </PageLink>
        ),
      )}
      {page < totalPages && (
        <PageLink {...to(page + 1)} rel="next">
          <span className="sr-only lg:not-sr-only">Next</span>
          <Icon name="chevron-right" className="size-4" />
        </PageLink>
      )}
    </nav>
  )
}

type LinkProps = Pick<ComponentProps<'a'>, 'rel' | 'aria-label'> & {
  number: number
  href: string
  carrying: Props['carrying']
  children: ReactNode
}

function PageLink({ number, href, carrying, rel, children, ...named }: LinkProps) {
  const isHydrated = useHydrated()
  if (!carrying || isHydrated) {
    return (
      <Link to={href} rel={rel} className={LINK} {...named}>
        {children}
      </Link>
    )
  }
  return (
    <button
      form={carrying.form}
      formAction={carrying.action}
      name="page"
      value={number}
      className={LINK}
      {...named}
    >
      {children}
    </button>
  )
}
