import type { BatchProgress } from '~/domain/batches/types'

/** The create screen's name in the browser's tab: how much of a running batch is done. */
export function workPage(progress: BatchProgress | null): string {
  if (progress?.batch.status !== 'processing') return 'Create'
  const { completedVideos, failedVideos, totalVideos } = progress.batch
  return `(${completedVideos + failedVideos}/${totalVideos}) Create`
}
