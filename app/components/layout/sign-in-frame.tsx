import { Link, useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '~/lib/paths'
import type { loader } from '~/root'
import { Logo } from './logo'
import { ThemeToggle } from './theme-toggle'

/** The frame around signing in and opening an account. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>('root')
  return (
    <div className="mx-auto flex min-h-screen max-w-sm flex-col px-4">
      <header className="flex items-center justify-between py-4">
        <Link to={paths.landing}>
          <Logo name={root?.product ?? ''} />
        </Link>
        <ThemeToggle />
      </header>
      <main className="flex grow flex-col justify-center gap-6 pb-24">
        <h1 className="text-xl font-semibold">{title}</h1>
        {children}
      </main>
    </div>
  )
}
