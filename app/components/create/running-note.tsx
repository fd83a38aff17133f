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
  /** The intent of the form around it that adds its prompts to the line. */
  intent: string
  /** Whether there is nothing to add yet. */
  isEmpty?: boolean
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
export function RunningNote({ batch, isOver = false, inLine, intent, isEmpty = false }: Props) {
  const isFull = inLine >= BATCH_LIMITS.inLine
  const ended = batch.completedVideos + batch.failedVideos
  return (
    <div className="space-y-3">
      <p className="grid rounded border border-line bg-sunken p-3 text-sm *:[grid-area:1/1]">
        <span className={isOver ? 'invisible' : undefined}>
          {STAGES[stageOf(batch)]} ({ended} of {batch.totalVideos} done). One batch runs at a time;
          this one can start when it has ended.{' '}
          <Link
            to={`${paths.batch(batch.id)}#status`}
            className="font-medium underline underline-offset-4"
          >
            Show the running batch
          </Link>
        </span>
        {isOver && <span>The batch has ended. The next one can start.</span>}
      </p>
      {!isOver && (
        <div className="space-y-1">
          <Button look="plain" name="intent" value={intent} disabled={isEmpty || isFull}>
            Add to the line
          </Button>
          <p className="text-sm text-soft">
            {isFull
              ? `The line is full: ${inLine} batches wait.`
              : 'It starts by itself when the batches before it have ended. Until then it costs nothing and can be changed. What does not fit that day runs on the next days.'}
          </p>
        </div>
      )}
    </div>
  )
}
