import { Link } from '@remix-run/react'
import type { AuditEntryView } from '~/domain/audit/types'
import { paths } from '~/lib/paths'
import { Card } from '../../ui/card'
import { textLinkClass } from '../../ui/text-link'
import { AuditEntryRow } from '../audit-entry'

type Props = { username: string; entries: readonly AuditEntryView[] }

/** The latest that the customer did, and that was done to the account. */
export const CustomerLog = ({ username, entries }: Props) => (
  <Card title="Activity">
    {entries.length === 0 ? (
      <p className="text-sm text-soft">Nothing here yet.</p>
    ) : (
      <ol className="divide-y divide-line">
        {entries.map((entry) => (
          <AuditEntryRow key={entry.id} entry={entry} />
        ))}
      </ol>
    )}
    <Link
      to={`${paths.admin.auditLog}?${new URLSearchParams({ subject: username })}`}
      className={`${textLinkClass} mt-2 text-sm`}
    >
      All entries
    </Link>
  </Card>
)
