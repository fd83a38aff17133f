import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Standing } from '~/domain/accounts/rules'
import type { QuotaView } from '~/domain/quota/types'
import { paths } from '~/lib/paths'
import { ClockTime } from '../ui/clock-time'

const WORDS: Partial<Record<Standing, string>> = {
  expired:
    'Your plan has expired. Your videos stay yours to watch, download and delete; accepted videos wait until you renew.',
  'no-plan': 'No active plan. Choose one to generate videos.',
}

type Props = { standing: Standing; quota: QuotaView }

/** Explains why no video can be started, before the user writes a hundred prompts. */
export function StandingNote({ standing, quota }: Props) {
  const words = WORDS[standing]
  if (words) return <Note>{words}</Note>
  if (quota.remaining > 0) return null
  return (
    <Note>
      Today’s videos are used up. The next ones come at <ClockTime instant={quota.resetsAt} />.
    </Note>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p className="rounded border border-warn p-3 text-sm">
      {children}{' '}
      <Link to={paths.pricing} reloadDocument className="font-medium underline underline-offset-4">
        See the plans
      </Link>
    </p>
  )
}
