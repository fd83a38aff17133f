import { Link } from '@remix-run/react'
import { BATCH_LIMITS, stageOf } from '~/domain/batches/rules'
import type { BatchView } from '~/domain/batches/types'
import { Button } from '../ui/button'
import { paths } from '~/lib/paths'

type Props = {
  batch: BatchView
  isOver?: boolean
  /** How many batches wait in line. */
  inLine: number
  /** The intent of the form around it that adds its prompts to the line; none: it has a button of its own. */
  intent?: string
}

const STAGES = {
  making: 'A batch is being processed',
  later: 'A batch waits for the next day',
  unpaid: 'A batch waits until you renew your plan',
  paused: 'A batch is paused',
} as const

/**
 * Why no batch can be started now, with a link to the one that is running. Once that is over it says so
 * in the same room, so that nothing below moves.
 */
export function RunningNote({ batch, isOver = false, inLine, intent }: Props) {
  const isFull = inLine >= BATCH_LIMITS.inLine
  const ended = batch.completedVideos + batch.failedVideos
  return (
    <div className="space-y-3">
      <p className="grid rounded border border-line bg-sunken p-3 text-sm *:[grid-area:1/1]">
        <span className={isOver ? 'invisible' : undefined}>
          {STAGES[stageOf(batch)]} ({ended} of {batch.totalVideos} done). One batch runs at a time
          {isFull
            ? `, and the line is full: ${inLine} batches wait.`
            : '. In the line, this one starts by itself and costs nothing until then. What does not fit that day runs on the next days.'}{' '}
          <Link
            to={`${paths.batch(batch.id)}#status`}
            className="font-medium underline underline-offset-4"
          >
            Show the running batch
          </Link>
        </span>
        {isOver && <span>The batch has ended. The next one can start.</span>}
      </p>
      {!isOver && intent && (
        <Button look="plain" name="intent" value={intent} disabled={isFull}>
          Add to the line
        </Button>
      )}
    </div>
  )
}
