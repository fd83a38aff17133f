import type { BatchProgress } from '~/domain/batches/types'

/** Returns the create screen's title for the browser tab, with the progress of a running batch. */
export function workPage(progress: BatchProgress | null): string {
  if (progress?.batch.status !== 'processing') return 'Create'
  const { completedVideos, failedVideos, totalVideos } = progress.batch
  return `(${completedVideos + failedVideos}/${totalVideos}) Create`
}
