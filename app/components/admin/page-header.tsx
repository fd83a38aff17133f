import type { ReactNode } from 'react'

type Props = { title: string; note?: string; children?: ReactNode }

/** The heading of an admin page, with a note below it, and its links and buttons to the right. */
export function PageHeader({ title, note, children }: Props) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-3">
      <div>
        <PageTitle>{title}</PageTitle>
        {note && <p className="text-sm text-soft">{note}</p>}
      </div>
      {children}
    </header>
  )
}

/** The heading alone. */
export const PageTitle = ({ children }: { children: ReactNode }) => (
  <h1 className="text-lg font-semibold [overflow-wrap:anywhere] sm:text-xl">{children}</h1>
)
