import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '~/lib/paths'
import { SAMPLES, webpPath } from '~/lib/samples'
import { Logo } from '../layout/logo'
import { ThemeToggle } from '../layout/theme-toggle'
import { FormToast, PageMessage } from '../ui/toasts'
import type { ToastMessage } from '../ui/toasts'
import { ContactLinks } from './contact-links'
import { usePublicData } from './use-public-data'

type Props = {
  title: string
  /** The form's failure, with the errors. */
  failure?: { toast?: ToastMessage | null | undefined } | null | undefined
  children: ReactNode
}

/** The frame of the sign-in and registration pages. Wide screens also show a film strip. */
export function SignInLayout({ title, failure, children }: Props) {
  const { product } = usePublicData()
  return (
    <div className="grid min-h-screen grid-cols-1 lg:grid-cols-2">
      <div className="flex flex-col px-4 sm:px-8">
        <header className="flex items-center justify-between py-3">
          <Link
            to={paths.landing}
            aria-label={`${product}, start page`}
            className="inline-flex min-h-11 items-center"
          >
            <Logo name={product} />
          </Link>
          <ThemeToggle />
        </header>
        <main className="mx-auto flex w-full max-w-sm grow flex-col justify-center gap-6 py-8">
          <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
          <PageMessage />
          {failure?.toast && <FormToast toast={failure.toast} />}
          {children}
        </main>
        <footer className="mx-auto flex w-full max-w-sm flex-wrap items-center justify-between gap-2 pb-6 text-sm text-soft">
          <Link to={paths.pricing} className="inline-flex min-h-11 items-center hover:underline">
            View pricing and plans
          </Link>
          <ContactLinks />
        </footer>
      </div>
      <FilmWall />
    </div>
  )
}

/** Tailwind's `lg`. Where the film wall is hidden, its pictures are not loaded. */
const WALL_SHOWN = '(min-width: 1024px)'
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

/** Two film strips, slightly shifted. Decorative. */
function FilmWall() {
  const strips = [SAMPLES.slice(0, 4), SAMPLES.slice(4)]
  return (
    <div
      aria-hidden
      className="sticky top-0 hidden h-screen justify-center gap-10 overflow-hidden bg-film lg:flex"
    >
      {strips.map((samples, index) => (
        <div
          key={samples[0]?.imagePath}
          className={`flex gap-2 ${index === 0 ? '-mt-24' : '-mt-64'}`}
        >
          <span className="sprockets-upright" />
          <div>
            {samples.map((sample) => (
              <picture key={sample.imagePath}>
                <source srcSet={webpPath(sample)} media={WALL_SHOWN} />
                <img
                  src={NO_PICTURE}
                  alt=""
                  width={270}
                  height={480}
                  className="mb-2 block h-auto w-44 rounded-sm"
                />
              </picture>
            ))}
          </div>
          <span className="sprockets-upright" />
        </div>
      ))}
    </div>
  )
}
