import type { Carried, InLine } from '~/domain/batches/types'
import { figure } from '~/lib/figures'
import { ClockTime } from '../ui/clock-time'

type CarriedProps = { carried: Carried; isPaused: boolean }

/** Until when the prompts of later days wait, on one line. */
export function CarriedNote({ carried, isPaused }: CarriedProps) {
  const { prompts, until, day, days, isStopped } = carried
  const wait = prompts === 1 ? '1 prompt waits' : `${figure(prompts)} prompts wait`
  if (isStopped) return <>{wait} until you renew your plan. Waiting costs nothing.</>
  if (until === null) return <>{wait} in line. Waiting costs nothing.</>
  if (isPaused) return <>{wait} until you resume this batch</>
  return (
    <>
      {wait} until <ClockTime instant={until} />, day {day} of {days}
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
