import { quotaRefusal } from '~/domain/quota/rules'
import { Button } from '../ui/button'

type Props = { prompts: number; remaining: number; isDisabled: boolean }

/**
 * The choices for a batch larger than the rest of today's quota. The whole batch is refused, and
 * the buttons start the part that fits (decision Q-7) or let the rest wait in the batch. Rendered inside the bulk form.
 */
export function RunPart({ prompts, remaining, isDisabled }: Props) {
  return (
    <div
      role="group"
      aria-labelledby="run-part"
      className="space-y-3 rounded border border-warn p-3"
    >
      <p id="run-part" className="text-sm font-medium">
        {quotaRefusal(remaining, prompts)}
      </p>
      {remaining > 0 && <input type="hidden" name="part" value={remaining} />}
      <div className="flex flex-wrap gap-2">
        {remaining > 0 && (
          <>
            <Button look="plain" name="intent" value="run-part" disabled={isDisabled}>
              Run {remaining} now
            </Button>
            <Button look="plain" name="intent" value="run-part-hold" disabled={isDisabled}>
              Run {remaining} now, hold the rest
            </Button>
          </>
        )}
        <Button look="plain" name="intent" value="run-over-days" disabled={isDisabled}>
          {remaining > 0
            ? `Run ${remaining} now, the rest on the next days`
            : 'Run them on the next days'}
        </Button>
      </div>
      <p className="text-sm text-soft">
        {remaining > 0 && 'Held prompts stay in the box; run them after the reset. '}
        Prompts for the next days start by themselves after each reset. Until then they cost nothing
        and can be changed.
      </p>
    </div>
  )
}
