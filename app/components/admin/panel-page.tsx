import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '~/lib/paths'
import { textLinkClass } from '../ui/text-link'

/** A panel of the users page on a page of its own. Without scripts its form is posted here. */
export function PanelPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="space-y-4">
      <h1 className="text-lg font-semibold sm:text-xl">{title}</h1>
      {children}
      <Link to={paths.admin.users} className={`${textLinkClass} text-sm`}>
        Back to all users
      </Link>
    </div>
  )
}
