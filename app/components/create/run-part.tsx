import { planEndText } from '~/domain/batches/later-days'
import type { Receipt } from '~/domain/batches/receipt'
import { quotaRefusal } from '~/domain/quota/rules'
import { figure } from '~/lib/figures'
import { Button } from '../ui/button'

type Props = { receipt: Receipt; remaining: number; isDisabled: boolean }

/** Id of the choices, which get the focus after a refusal. */
export const RUN_PART_ID = 'run-part'

/**
 * The choices for a batch larger than the rest of today's quota. The whole batch is refused, and
 * the buttons start the part that fits (decision Q-7) or let the rest wait in the batch. The one that
 * loses text is the last. Rendered inside the bulk form.
 */
export function RunPart({ receipt, remaining, isDisabled }: Props) {
  const { prompts, later } = receipt
  const rest = prompts - remaining
  const other = rest === 1 ? 'The other prompt' : `The other ${figure(rest)} prompts`
  return (
    <div
      id={RUN_PART_ID}
      role="group"
      aria-labelledby="run-part-title"
      // Scripts move the focus here.
      tabIndex={-1}
      className="space-y-3 rounded border border-warn p-3"
    >
      <p id="run-part-title" className="text-sm font-medium">
        {quotaRefusal(remaining, prompts)}
      </p>
      {remaining > 0 && <input type="hidden" name="part" value={remaining} />}
      <ul className="space-y-3">
        <Choice
          intent="run-over-days"
          label={
            remaining > 0
              ? `Run ${remaining} now, the rest on the next days`
              : 'Run them on the next days'
          }
          hint="Prompts for the next days start by themselves after each reset. Until then they cost nothing and can be changed."
          warning={later?.beyondPlan ? planEndText(later.beyondPlan) : undefined}
          isDisabled={isDisabled}
        />
        {remaining > 0 && (
          <>
            <Choice
              intent="run-part-hold"
              label={`Run ${remaining} now, hold the rest`}
              hint={`${other} ${rest === 1 ? 'stays' : 'stay'} in the box, to run after the reset.`}
              isDisabled={isDisabled}
            />
            <Choice
              intent="run-part"
              label={`Run ${remaining} now`}
              hint={`${other} ${rest === 1 ? 'is' : 'are'} removed from the box.`}
              isDisabled={isDisabled}
            />
          </>
        )}
      </ul>
    </div>
  )
}

type ChoiceProps = {
  intent: string
  label: string
  hint: string
  warning?: string | undefined
  isDisabled: boolean
}

function Choice({ intent, label, hint, warning, isDisabled }: ChoiceProps) {
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
        {hint} {warning && <strong className="font-medium text-warn">{warning}</strong>}
      </p>
    </li>
  )
}
