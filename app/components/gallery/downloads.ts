import { callApi } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { saveFile } from '../ui/save-file'
import { showToast } from '../ui/toasts'
import type { GalleryScope } from './gallery-context'

/** Pause between the downloads of several videos (specification §9). */
const PAUSE_MS = 500

/**
 * The toast title after a successful download. Users and administrators have different words (§8).
 */
const DONE = { mine: 'Download complete', all: 'Download successful' } as const

/** Saves a video under the name that the server gives it and reports the result. */
export async function downloadVideo(id: string, scope: GalleryScope): Promise<void> {
  const problem = await saveFile(paths.api.download(id), `video-${id}.mp4`)
  if (problem === null) return showToast({ kind: 'success', title: DONE[scope] })
  const reason = (problem.message ?? 'Could not download video').replace(/\.$/, '')
  showToast({
    kind: 'error',
    title: 'Download failed',
    description: `${reason}. Right-click video to save manually`,
  })
  window.open(paths.media(id, 'mp4'), '_blank', 'noopener')
}

/**
 * Saves several videos one after the other and reports the progress. Videos that fail are skipped.
 */
export async function downloadVideos(ids: readonly string[], scope: GalleryScope): Promise<void> {
  if (ids.length === 0) return showNothingToDownload()
  let saved = 0
  for (const [index, id] of ids.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    showToast({
      kind: 'info',
      title: 'Downloading videos',
      description: `${index + 1} of ${ids.length}`,
    })
    if ((await saveFile(paths.api.download(id), `video-${id}.mp4`)) === null) saved += 1
  }
  showToast({
    kind: saved === 0 ? 'error' : 'success',
    title: saved === 0 ? 'Download failed' : DONE[scope],
    description: `Successfully downloaded ${saved} of ${ids.length} videos`,
  })
}

export function showNothingToDownload(): void {
  showToast({
    kind: 'error',
    title: 'No videos to download',
    description: 'No completed videos found',
  })
}

/**
 * Returns the ids of all completed videos that a query of the list call finds, oldest first.
 * Returns null if the call fails.
 */
export async function findCompleted(query: URLSearchParams): Promise<string[] | null> {
  // A filter for another state matches no video with a file. It must not find more than the page
  // shows.
  if (!['all', 'completed'].includes(query.get('status') ?? 'all')) return []
  query.set('limit', '10000')
  query.set('status', 'completed')
  const result = await callApi<{ videos: { id: string }[] }>('GET', `${paths.api.videos}?${query}`)
  return result.ok ? result.data.videos.map(({ id }) => id).reverse() : null
}

/** Saves the file of prompts at a URL. */
export async function downloadPrompts(url: string): Promise<void> {
  const problem = await saveFile(url, 'prompts.txt')
  if (problem === null) return showToast({ kind: 'success', title: 'Prompts downloaded' })
  showToast({
    kind: 'error',
    title: 'Download failed',
    description: problem.message ?? (problem.isSilent ? 'An error occurred' : problem.text),
  })
}
