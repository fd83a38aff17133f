import { quotaRefusal } from '~/domain/quota/rules'
import { Button } from '../ui/button'

type Props = { prompts: number; remaining: number; isDisabled: boolean }

/**
 * The choices for a batch larger than the rest of today's quota. The whole batch is refused, and
 * one button starts the part that fits (decision Q-7). Rendered inside the bulk form.
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
      {remaining > 0 && (
        <>
          <input type="hidden" name="part" value={remaining} />
          <div className="flex flex-wrap gap-2">
            <Button look="plain" name="intent" value="run-part" disabled={isDisabled}>
              Run {remaining} now
            </Button>
            <Button look="plain" name="intent" value="run-part-hold" disabled={isDisabled}>
              Run {remaining} now, hold the rest
            </Button>
          </div>
          <p className="text-sm text-soft">
            Held prompts stay in the box; run them after the reset.
          </p>
        </>
      )}
    </div>
  )
}
