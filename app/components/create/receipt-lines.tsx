import type { ReactNode } from 'react'
import { planEndText } from '~/domain/batches/later-days'
import type { EstimateInputs, Receipt } from '~/domain/batches/receipt'
import { paceText } from '~/domain/batches/rules'
import { remainingClips } from '~/domain/quota/rules'
import { figure, plural } from '~/lib/figures'
import { ClockTime } from '../ui/clock-time'

type Props = { receipt: Receipt; estimateInputs: EstimateInputs; now: Date }
type Line = [name: string, value: ReactNode]

/** What a batch will mean, shown before it starts. What is not known is not said. */
export function ReceiptLines(props: Props) {
  const { prompts, fits, line, planEnd, later } = props.receipt
  const lines: Line[] = [
    ['Prompts', plural(prompts, 'video')],
    ...(line ? linesInLine(props) : fits ? linesOfToday(props) : linesOverDays(props)),
  ]
  if (planEnd)
    lines.push([
      'Plan',
      planEndText({ planEnd: planEnd.toISOString(), ...(later?.beyondPlan ?? {}) }),
    ])
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

type Timed = { name: string; at: Date | null; words?: string }

const timed = ({ name, at, words = 'about' }: Timed, now: Date): Line[] =>
  at === null
    ? []
    : [
        [
          name,
          <>
            {words} <ClockTime instant={at.toISOString()} now={now} />
          </>,
        ],
      ]

function linesOfToday({ receipt, estimateInputs, now }: Props): Line[] {
  const { usedAfter, remainingAfter, rounds, lastStartAt, finishAt } = receipt
  return [
    [
      'Quota',
      `After this: ${figure(usedAfter)} of ${figure(estimateInputs.limit)} today, ${figure(remainingAfter)} left`,
    ],
    ['Rounds', `${plural(rounds, 'round')}, ${paceText(estimateInputs)}`],
    ...timed({ name: 'Last one sent', at: lastStartAt }, now),
    ...timed({ name: 'Ready by', at: finishAt }, now),
  ]
}

/** Times of today are true for today’s prompts only. */
function linesOverDays({ receipt, estimateInputs, now }: Props): Line[] {
  const { prompts, finishAt, later } = receipt
  const { remaining, limit, clipUnits, perDay } = estimateInputs
  return [
    [
      'Quota',
      `${prompts} needed, ${figure(remaining)} of ${figure(remainingClips(limit, clipUnits))} left today`,
    ],
    ['Batch speed', paceText(estimateInputs)],
    ...timed({ name: 'Today’s videos', at: finishAt, words: 'ready by about' }, now),
    [
      'Next days',
      <>
        {figure(perDay)} a day
        {later?.lastAt && (
          <>
            , the last ones from <ClockTime instant={later.lastAt.toISOString()} now={now} />
          </>
        )}
      </>,
    ],
  ]
}

function linesInLine({ receipt, estimateInputs, now }: Props): Line[] {
  const startsAt = receipt.line?.startsAt ?? null
  return [
    ['Quota', 'Used on the day they are sent'],
    ['Batch speed', paceText(estimateInputs)],
    ...(startsAt
      ? timed({ name: 'Starts', at: startsAt }, now)
      : [['Starts', 'when the batches before it have ended'] satisfies Line]),
    ...timed({ name: 'Ready by', at: receipt.finishAt }, now),
  ]
}
