import type { EstimateInputs, Receipt } from '~/domain/batches/receipt'
import { paceText } from '~/domain/batches/rules'
import { figure, plural } from '~/lib/figures'
import { ClockTime } from '../ui/clock-time'

type Props = { receipt: Receipt; estimateInputs: EstimateInputs; now: Date }

/** What a batch will mean, shown before it starts, with the same figures as the call's response. */
export function ReceiptLines({ receipt, estimateInputs, now }: Props) {
  const { prompts, fits, rounds, usedAfter, remainingAfter, lastStartAt, finishAt } = receipt
  const lines = [
    ['Prompts', plural(prompts, 'video')],
    [
      'Quota',
      fits
        ? `After this: ${figure(usedAfter)} of ${figure(estimateInputs.limit)} today, ${figure(remainingAfter)} left`
        : `${prompts} needed, ${figure(estimateInputs.remaining)} of ${figure(estimateInputs.limit)} left today`,
    ],
    ['Rounds', `${plural(rounds, 'round')}, ${paceText(estimateInputs)}`],
    [
      'Last one sent',
      <>
        about <ClockTime instant={lastStartAt.toISOString()} now={now} />
      </>,
    ],
    [
      'Ready by',
      <>
        about <ClockTime instant={finishAt.toISOString()} now={now} />
      </>,
    ],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 tiny:grid-cols-1 gap-y-1.5 text-sm">
      {lines.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
