import { quotaRefusal } from '~/domain/quota/rules'
import { figure } from '~/lib/figures'
import { Button } from '../ui/button'

type Props = { prompts: number; remaining: number; isDisabled: boolean }

/**
 * The choices for a batch larger than the rest of today's quota. The whole batch is refused, and
 * the buttons start the part that fits (decision Q-7) or let the rest wait in the batch. Rendered inside the bulk form.
 */
export function RunPart({ prompts, remaining, isDisabled }: Props) {
  const rest = prompts - remaining
  const other = rest === 1 ? 'The other prompt' : `The other ${figure(rest)} prompts`
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
      <ul className="space-y-3">
        {remaining > 0 && (
          <>
            <Choice
              intent="run-part"
              label={`Run ${remaining} now`}
              hint={`${other} ${rest === 1 ? 'is' : 'are'} removed from the box.`}
              isDisabled={isDisabled}
            />
            <Choice
              intent="run-part-hold"
              label={`Run ${remaining} now, hold the rest`}
              hint={`${other} ${rest === 1 ? 'stays' : 'stay'} in the box, to run after the reset.`}
              isDisabled={isDisabled}
            />
          </>
        )}
        <Choice
          intent="run-over-days"
          label={
            remaining > 0
              ? `Run ${remaining} now, the rest on the next days`
              : 'Run them on the next days'
          }
          hint="Prompts for the next days start by themselves after each reset. Until then they cost nothing and can be changed."
          isDisabled={isDisabled}
        />
      </ul>
    </div>
  )
}

type ChoiceProps = { intent: string; label: string; hint: string; isDisabled: boolean }

function Choice({ intent, label, hint, isDisabled }: ChoiceProps) {
  const id = `${intent}-hint`
  return (
    <li className="space-y-1">
      <Button
        look="plain"
        name="intent"
        value={intent}
        disabled={isDisabled}
        aria-describedby={id}
        className="w-full"
      >
        {label}
      </Button>
      <p id={id} className="text-sm text-soft">
        {hint}
      </p>
    </li>
  )
}
