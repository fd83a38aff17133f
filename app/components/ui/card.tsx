import type { ReactNode } from 'react'

type Props = { title?: string; className?: string; children: ReactNode }

/** A bordered panel, with a heading if it is a section of the page. */
export function Card({ title, className = '', children }: Props) {
  return (
    <section
      className={`rounded-lg border border-line bg-surface p-4 tiny:p-3 sm:p-5 ${className}`}
    >
      {title && <h2 className="mb-3 text-base font-semibold">{title}</h2>}
      {children}
    </section>
  )
}
