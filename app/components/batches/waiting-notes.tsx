import { planEndText } from '~/domain/batches/later-days'
import type { Carried, InLine } from '~/domain/batches/types'
import { figure } from '~/lib/figures'
import { ClockTime } from '../ui/clock-time'

type CarriedProps = { carried: Carried; isPaused: boolean; now: Date }

/** Until when the prompts of later days wait, and which of them the plan's end leaves waiting. */
export function CarriedNote({ carried, isPaused, now }: CarriedProps) {
  const { prompts, until, day, days, perDay, beyondPlan, isStopped } = carried
  const wait = prompts === 1 ? '1 prompt waits' : `${figure(prompts)} prompts wait`
  if (isStopped) return <>{wait} until you renew your plan. Waiting costs nothing.</>
  if (until === null) return <>{wait} in line. Waiting costs nothing.</>
  const at = <ClockTime instant={until} now={now} />
  return (
    <>
      {isPaused ? (
        `${wait} until you resume this batch.`
      ) : beyondPlan?.prompts === prompts ? (
        `${wait} for the next days.`
      ) : prompts > perDay ? (
        <>
          {wait} for the next days: the next {figure(perDay)} from {at}, day {day} of {days}.
        </>
      ) : (
        <>
          {wait} until {at}, day {day} of {days}.
        </>
      )}
      {beyondPlan && (
        <strong className="block font-medium text-warn">{planEndText(beyondPlan)}</strong>
      )}
    </>
  )
}

type LineProps = { inLine: InLine; now: Date }

/** A batch's place in line and about when it starts, on one line. */
export function LineNote({ inLine: { place, startEstimate }, now }: LineProps) {
  const where = place === 1 ? 'Next in line' : `Place ${place} in line`
  if (startEstimate === null) return <>{where}. It starts when the batch before it has ended.</>
  return (
    <>
      {where}, starts about <ClockTime instant={startEstimate} now={now} />
    </>
  )
}
