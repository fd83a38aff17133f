import { useState, type ReactNode } from 'react'
import { planEndText } from '~/domain/batches/later-days'
import { receiptFor, type EstimateInputs, type Receipt } from '~/domain/batches/receipt'
import { quotaRefusal } from '~/domain/quota/rules'
import { figure, plural } from '~/lib/figures'
import { lineClass } from '../ui/field-frame'
import { ClockTime } from '../ui/clock-time'
import { ReceiptLines } from './receipt-lines'
import { RUN_PART_ID } from './run-part'

/** A way to start prompts: the form's intent, how many prompts its batch has, and its words in a choice. */
export type StartChoice = { intent: string; videos: number; label: string }

/** Returns the words of what runs today and after it, and of how many more prompts it is. */
export const overDaysLabel = (today: number, later: number): string =>
  today > 0
    ? `${figure(today)} now, ${figure(later)} on the next days`
    : `${figure(later)} on the next days`

/** Returns the way to start that the user has chosen, at first the first one, and a function to choose another. */
export function useStartChoice(
  choices: readonly [StartChoice, ...StartChoice[]],
): [StartChoice, (intent: string) => void] {
  const [intent, choose] = useState<string>()
  return [choices.find((one) => one.intent === intent) ?? choices[0], choose]
}

type QuestionProps = {
  /** How many videos are left today, of how many prompts. */
  remaining: number
  prompts: number
  choices: readonly StartChoice[]
  chosen: StartChoice
  onChoose: (intent: string) => void
}

/** The choice of what runs if the prompts do not fit today (decision Q-7). Needs scripts. */
export function StartQuestion({ remaining, prompts, choices, chosen, onChoose }: QuestionProps) {
  const question = quotaRefusal(remaining, prompts)
  if (choices.length < 2) return <p className="start-question">{question}</p>
  return (
    <label className="start-question">
      <span>{question}</span>
      <select
        id={RUN_PART_ID}
        value={chosen.intent}
        onChange={(event) => onChoose(event.target.value)}
        className={lineClass}
      >
        {choices.map(({ intent, label }) => (
          <option key={intent} value={intent}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

type Props = {
  /** How many prompts would be started. */
  prompts: number
  estimateInputs: EstimateInputs
  now: Date
  /** Said below the line, such as what stays. */
  children?: ReactNode
}

/** What a start means, in a line that opens the whole receipt. */
export function StartSummary({ prompts, estimateInputs, now, children }: Props) {
  const receipt = receiptFor(prompts, estimateInputs, now)
  const { planEnd, later } = receipt
  return (
    <div className="start-summary">
      <details>
        <summary>
          {plural(prompts, 'video')} · {daysOf(receipt, estimateInputs)}
          <Ready receipt={receipt} now={now} />
        </summary>
        <ReceiptLines receipt={receipt} estimateInputs={estimateInputs} now={now} />
        {later && (
          <p className="mt-2 text-sm text-soft">
            Prompts for the next days start by themselves after each reset. Until then they cost
            nothing and can be changed.
          </p>
        )}
      </details>
      {planEnd && (
        <p className="text-xs text-warn">
          {planEndText({ planEnd: planEnd.toISOString(), ...(later?.beyondPlan ?? {}) })}
        </p>
      )}
      {children}
    </div>
  )
}

function daysOf({ prompts, fits, line, usedAfter }: Receipt, inputs: EstimateInputs): string {
  const { remaining, limit } = inputs
  if (line) return 'in line'
  if (fits) return `${figure(usedAfter)} of ${figure(limit)} today`
  return remaining > 0
    ? `${figure(remaining)} today, ${figure(prompts - remaining)} on the next days`
    : 'on the next days'
}

/** When all are ready, or when the last ones are sent. What is not known is not said. */
function Ready({ receipt: { finishAt, later }, now }: { receipt: Receipt; now: Date }) {
  const at = later ? later.lastAt : finishAt
  if (at === null) return null
  return (
    <>
      {' '}
      · {later ? 'the last ones from' : 'ready'} <ClockTime instant={at.toISOString()} now={now} />
    </>
  )
}
