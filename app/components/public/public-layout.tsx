import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '~/lib/paths'
import { Logo } from '../layout/logo'
import { ThemeToggle } from '../layout/theme-toggle'
import { PageMessage } from '../ui/toasts'
import { ButtonLink } from '../ui/button'
import { ContactLinks } from './contact-links'
import { usePublicData } from './use-public-data'

type Props = {
  /** Rendered at the right of the top bar, after the theme toggle. */
  links: ReactNode
  children: ReactNode
}

/** The top bar and footer of the public pages. */
export function PublicLayout({ links, children }: Props) {
  const { product } = usePublicData()
  return (
    <div className="flex min-h-screen flex-col">
      <header className="mx-auto flex w-full max-w-6xl items-center justify-between gap-2 px-4 py-3">
        <Link
          to={paths.landing}
          aria-label={`${product}, start page`}
          className="inline-flex min-h-11 min-w-0 items-center"
        >
          <Logo name={product} />
        </Link>
        <nav
          className="flex items-center gap-1 tiny:flex-wrap tiny:justify-end max-[399px]:gap-0 max-[399px]:[&>a]:px-2 [&>a]:whitespace-nowrap"
          aria-label="Site"
        >
          <ThemeToggle />
          {links}
        </nav>
      </header>
      <main className="grow">
        <div className="mx-auto max-w-6xl px-4 empty:hidden">
          <PageMessage />
        </div>
        {children}
      </main>
      <footer className="mt-16 border-t border-line">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-4 text-sm text-soft">
          <p>{product}: short videos from written prompts.</p>
          <nav aria-label="Foot" className="flex flex-wrap items-center gap-x-4">
            <FootLink to={paths.pricing}>Pricing</FootLink>
            <FootLink to={paths.refundPolicy}>Refund Policy</FootLink>
            <ContactLinks />
          </nav>
        </div>
      </footer>
    </div>
  )
}

type SiteLinksProps = {
  /** The page that signed-in users are linked to. */
  to: string
  children: string
}

/** Links to the prices and to the product or sign-in. */
export function SiteLinks({ to, children }: SiteLinksProps) {
  const { isSignedIn } = usePublicData()
  return (
    <>
      <ButtonLink to={paths.pricing} look="quiet">
        Pricing
      </ButtonLink>
      <ButtonLink to={isSignedIn ? to : paths.login} look="plain">
        {isSignedIn ? children : 'Login'}
      </ButtonLink>
    </>
  )
}

function FootLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="inline-flex min-h-11 items-center hover:text-ink hover:underline">
      {children}
    </Link>
  )
}
