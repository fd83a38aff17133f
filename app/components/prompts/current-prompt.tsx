import type { PromptView } from '~/domain/prompts/types'
import { plural } from '~/lib/figures'
import { ActionForm } from '../ui/action-form'
import { Card } from '../ui/card'
import { Icon } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'

/** The prompt that users see today, and whether it is pinned beyond the daily reset. */
export function CurrentPrompt({ prompt, isPinned }: { prompt: PromptView; isPinned: boolean }) {
  return (
    <Card title="Current Daily Prompt">
      <p className="max-w-prose break-words text-base">{prompt.text}</p>
      <p className="mt-2 text-sm tabular-nums text-soft">
        Copied {plural(prompt.copyCount, 'time')}, skipped {plural(prompt.skipCount, 'time')}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3 text-sm text-soft">
        {isPinned ? (
          <>
            <span className="inline-flex items-center gap-2">
              <Icon name="pin" className="size-4" />
              Set by hand: it stays until you choose otherwise.
            </span>
            <ActionForm intent="unpin" preventScrollReset>
              <SubmitButton intent="unpin" look="plain">
                Change daily again
              </SubmitButton>
            </ActionForm>
          </>
        ) : (
          <span>Each day the least recently used prompt is chosen.</span>
        )}
      </div>
    </Card>
  )
}
