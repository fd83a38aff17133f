import type { KeyRemovalView } from '~/domain/tokens/desk-rules'
import { plural } from '~/lib/figures'
import { dayAndTime } from '~/lib/time'
import { ActionForm } from '../ui/action-form'
import { Card } from '../ui/card'
import { SubmitButton } from '../ui/submit-button'
import { usePlatformZone } from '../ui/use-root-data'

/** Removals of the last day, each with its Undo. */
export function KeyRemovals({ removals }: { removals: readonly KeyRemovalView[] }) {
  const timeZone = usePlatformZone()
  if (removals.length === 0) return null
  return (
    <Card title="Removed lately">
      <ul className="space-y-2">
        {removals.map(({ id, count, actorName, removedAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <span>
              {plural(count, 'token')}, {dayAndTime(removedAt, timeZone)}, by {actorName}
            </span>
            <ActionForm intent="undo" preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <SubmitButton
                intent="undo"
                look="plain"
                aria-label={`Undo the removal of ${dayAndTime(removedAt, timeZone)}`}
              >
                Undo
              </SubmitButton>
            </ActionForm>
          </li>
        ))}
      </ul>
    </Card>
  )
}
