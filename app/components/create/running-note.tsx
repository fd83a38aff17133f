import { Link } from '@remix-run/react'
import type { BatchView } from '~/domain/batches/types'
import { paths } from '~/lib/paths'

type Props = { batch: BatchView; isOver?: boolean }

/**
 * Why no batch can be started now, with a link to the one that is running. Once that is over it says so
 * in the same room, so that nothing below moves.
 */
export function RunningNote({ batch, isOver = false }: Props) {
  const ended = batch.completedVideos + batch.failedVideos
  return (
    <p className="grid rounded border border-line bg-sunken p-3 text-sm *:[grid-area:1/1]">
      <span className={isOver ? 'invisible' : undefined}>
        A batch is being processed ({ended} of {batch.totalVideos} done). One batch runs at a time;
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
  )
}
