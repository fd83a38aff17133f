import { callApi, readFailure, REQUEST_FAILED } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { showToast } from '../ui/toasts'

/** Between the downloads of several videos (specification §9). */
const PAUSE_MS = 500

/** Saves a video under the name the server gives it, and says so. */
export async function downloadVideo(id: string): Promise<void> {
  const problem = await save(paths.api.download(id), `video-${id}.mp4`)
  if (problem === null) return showToast({ kind: 'success', title: 'Download complete' })
  const reason = (problem.message ?? 'Could not download video').replace(/\.$/, '')
  showToast({
    kind: 'error',
    title: 'Download failed',
    description: `${reason}. Right-click video to save manually`,
  })
  window.open(paths.media(id, 'mp4'), '_blank', 'noopener')
}

/** Saves several videos one after the other, telling how far it is; those that fail are passed over. */
export async function downloadVideos(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return showNothingToDownload()
  let saved = 0
  for (const [index, id] of ids.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    showToast({
      kind: 'info',
      title: 'Downloading videos',
      description: `${index + 1} of ${ids.length}`,
    })
    if ((await save(paths.api.download(id), `video-${id}.mp4`)) === null) saved += 1
  }
  showToast({
    kind: saved === 0 ? 'error' : 'success',
    title: saved === 0 ? 'Download failed' : 'Download complete',
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

/** Ids of every completed video that a query of the list call finds, oldest first. */
export async function findCompleted(query: URLSearchParams): Promise<string[] | null> {
  query.set('limit', '10000')
  query.set('status', 'completed')
  const result = await callApi<{ videos: { id: string }[] }>('GET', `${paths.api.videos}?${query}`)
  return result.ok ? result.data.videos.map(({ id }) => id).reverse() : null
}

/** Saves the file of prompts at an address. */
export async function downloadPrompts(url: string): Promise<void> {
  const problem = await save(url, 'prompts.txt')
  if (problem === null) return showToast({ kind: 'success', title: 'Prompts downloaded' })
  showToast({
    kind: 'error',
    title: 'Download failed',
    description: problem.message ?? problem.text,
  })
}

/** Fetches a file and hands it to the browser under the server's name; answers what went wrong. */
async function save(
  url: string,
  fallbackName: string,
): Promise<{ message: string | null; text: string } | null> {
  try {
    const response = await fetch(url, { headers: { Accept: 'application/json, */*' } })
    if (!response.ok) return await readFailure(response)
    const blob = await response.blob()
    const address = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = address
    link.download = nameOf(response.headers.get('Content-Disposition')) ?? fallbackName
    link.click()
    // The browser has to have begun reading it.
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
    return null
  } catch {
    return { message: null, text: REQUEST_FAILED }
  }
}

const nameOf = (disposition: string | null): string | undefined =>
  /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
