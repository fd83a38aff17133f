import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '~/lib/paths'
import { textLinkClass } from '../ui/text-link'
import { PageTitle } from './page-header'

/** A panel of the users page on a page of its own. Without scripts its form is posted here. */
export function PanelPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="space-y-4">
      <PageTitle>{title}</PageTitle>
      {children}
      <Link to={paths.admin.users} className={`${textLinkClass} text-sm`}>
        Back to all users
      </Link>
    </div>
  )
}
