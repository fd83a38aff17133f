import { Link } from '@remix-run/react'
import type { Standing } from '~/domain/accounts/rules'
import { paths } from '~/lib/paths'

const WORDS: Partial<Record<Standing, string>> = {
  expired:
    'Your plan has expired. Your videos stay yours to watch, download and delete; what was accepted waits for the renewal.',
  'no-plan': 'No active plan. Choose one to generate videos.',
}

/** Why nothing new can be started, before somebody writes a hundred prompts. */
export function StandingNote({ standing }: { standing: Standing }) {
  const words = WORDS[standing]
  if (!words) return null
  return (
    <p className="rounded border border-warn p-3 text-sm">
      {words}{' '}
      <Link to={paths.pricing} reloadDocument className="font-medium underline underline-offset-4">
        See the plans
      </Link>
    </p>
  )
}
