import type { MetaFunction } from '@remix-run/node'
import { useRouteLoaderData } from '@remix-run/react'
import { Logo } from '~/components/layout/logo'
import { ThemeToggle } from '~/components/layout/theme-toggle'
import { ButtonLink } from '~/components/ui/button'
import { paths } from '~/lib/paths'
import { SAMPLES } from '~/lib/samples'
import type { loader as rootLoader } from '~/root'

export const meta: MetaFunction = () => [
  { title: 'Reelmill: AI Powered Bulk Video Generation' },
  {
    name: 'description',
    content: 'Type prompts, get short videos: one at a time or a hundred at once.',
  },
]

export default function LandingPage() {
  const root = useRouteLoaderData<typeof rootLoader>('root')
  return (
    <>
      <header className="mx-auto flex max-w-6xl items-center justify-between gap-2 p-4">
        <Logo name={root?.product ?? ''} />
        <nav className="flex items-center gap-1" aria-label="Site">
          <ThemeToggle />
          <ButtonLink to={paths.register} look="quiet">
            Create account
          </ButtonLink>
          <ButtonLink to={paths.login} look="plain">
            Login
          </ButtonLink>
        </nav>
      </header>
      <main className="mx-auto max-w-6xl space-y-12 px-4 pb-16 pt-10">
        <div className="max-w-2xl space-y-5">
          <h1 className="text-2xl font-semibold sm:text-3xl">AI Powered Bulk Video Generation</h1>
          <p className="text-base text-soft sm:text-lg">
            Type a prompt and get a short video, upright or wide, ready to download.
          </p>
          <ButtonLink to={paths.register}>Create account</ButtonLink>
        </div>
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4" aria-label="Samples">
          {SAMPLES.map(({ title, imagePath }) => (
            <li
              key={imagePath}
              className="overflow-hidden rounded-lg border border-line bg-surface"
            >
              <img
                src={imagePath}
                alt={title}
                width={270}
                height={480}
                loading="lazy"
                className="h-auto w-full"
              />
            </li>
          ))}
        </ul>
      </main>
    </>
  )
}
