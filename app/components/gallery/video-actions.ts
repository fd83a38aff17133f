import { callApi } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { showToast } from '../ui/toasts'
import { AFTER_DELETION } from './deletion-text'
import { showFailure } from './show-failure'

type VideoAction = {
  question: string
  method: 'POST' | 'DELETE'
  url: string
  done: string
  failed: string
  /** Shown if the server gives no reason (specification §8). */
  fallback: string
}

/** The calls under way. */
const running = new Set<string>()

/**
 * Asks for confirmation in the browser's own dialog, runs the action and reports the result. While
 * the same action runs, a second press (of a double click) does nothing.
 */
async function runAction({
  question,
  method,
  url,
  done,
  failed,
  fallback,
}: VideoAction): Promise<void> {
  const call = `${method} ${url}`
  if (running.has(call) || !window.confirm(question)) return
  running.add(call)
  const result = await callApi(method, url, method === 'POST' ? {} : undefined)
  running.delete(call)
  if (result.ok) showToast({ kind: 'success', title: done })
  else showFailure(failed, result, fallback)
}

export const retryVideo = (id: string): Promise<void> =>
  runAction({
    question: 'Retry this video? It uses 1 video of today’s quota.',
    method: 'POST',
    url: paths.api.retry(id),
    done: 'Retry started',
    failed: 'Retry failed',
    fallback: 'Failed to retry video generation',
  })

export const regenerateVideo = (id: string): Promise<void> =>
  runAction({
    question:
      'Regenerate this video with the same prompt? It uses 1 video of today’s quota. The present video stays until the new one is ready.',
    method: 'POST',
    url: paths.api.regenerate(id),
    done: 'Regenerate started',
    failed: 'Regenerate failed',
    fallback: 'Failed to regenerate video',
  })

export const deleteVideo = (id: string): Promise<void> =>
  runAction({
    question: `Delete this video? ${AFTER_DELETION}`,
    method: 'DELETE',
    url: paths.api.video(id),
    done: 'Video deleted',
    failed: 'Delete failed',
    fallback: 'Failed to delete video',
  })
