import { Link } from '@remix-run/react'
import { buttonClass } from './button'

type PageLink = { to: string; label: string }
type Props = {
  /** Leads to the first page. Null on the first page. */
  first: PageLink | null
  /** Leads to the next page. Null on the last one. */
  next: PageLink | null
}

/** The links below a list whose pages have no numbers. Nothing below the only page. */
export function CursorPages({ first, next }: Props) {
  if (!first && !next) return null
  return (
    <nav aria-label="Pages" className="flex gap-2">
      {first && (
        <Link to={first.to} className={buttonClass('plain')}>
          {first.label}
        </Link>
      )}
      {next && (
        <Link to={next.to} rel="next" className={buttonClass('plain')}>
          {next.label}
        </Link>
      )}
    </nav>
  )
}
