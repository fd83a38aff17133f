import type { Carried } from '~/domain/batches/types'
import { figure } from '~/lib/figures'
import { ClockTime } from '../ui/clock-time'

type Props = { carried: Carried; isPaused: boolean }

/** Until when the prompts of later days wait, on one line. */
export function CarriedNote({ carried, isPaused }: Props) {
  const { prompts, until, day, days, isStopped } = carried
  const wait = prompts === 1 ? '1 prompt waits' : `${figure(prompts)} prompts wait`
  if (isStopped) return <>{wait} until you renew your plan. Waiting costs nothing.</>
  if (isPaused) return <>{wait} until you resume this batch</>
  return (
    <>
      {wait} until <ClockTime instant={until} />, day {day} of {days}
    </>
  )
}
