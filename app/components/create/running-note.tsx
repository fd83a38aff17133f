import { Link } from '@remix-run/react'
import type { BatchView } from '~/domain/batches/types'
import { paths } from '~/lib/paths'

/** Why no batch can be started now, with a link to the one that is running. */
export function RunningNote({ batch }: { batch: BatchView }) {
  const ended = batch.completedVideos + batch.failedVideos
  return (
    <p className="rounded border border-line bg-sunken p-3 text-sm">
      A batch is being processed ({ended} of {batch.totalVideos} done). One batch runs at a time;
      this one can start when it has ended.{' '}
      <Link
        to={`${paths.batch(batch.id)}#status`}
        className="font-medium underline underline-offset-4"
      >
        Show the running batch
      </Link>
    </p>
  )
}
