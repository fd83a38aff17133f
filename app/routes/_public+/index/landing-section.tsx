import type { ReactNode } from 'react'

type Props = { id: string; title: string; children: ReactNode }

/** A part of the landing page with its heading, which names it. */
export function LandingSection({ id, title, children }: Props) {
  return (
    <section aria-labelledby={id} className="mx-auto max-w-6xl px-4">
      <h2 id={id} className="text-xl font-semibold md:text-2xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
