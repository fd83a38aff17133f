import { callApi, NO_CONNECTION } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { saveFile } from '../ui/save-file'
import { showToast } from '../ui/toasts'
import { queryOf, type Choice } from './choice-query'
import type { GalleryScope, GalleryValue } from './gallery-context'
import { NOTHING_SELECTED } from './nothing-selected'

/** Pause between the downloads of several videos (specification §9). */
const PAUSE_MS = 500

/**
 * The toast title after a successful download. Users and administrators have different words (§8).
 */
const DONE = { mine: 'Download complete', all: 'Download successful' } as const

/** The videos that are being saved. */
const saving = new Set<string>()

/**
 * Saves a video under the name that the server gives it and reports the result. Does nothing while
 * the same video is being saved: on a slow network that takes a minute, and people press again.
 */
export async function downloadVideo(id: string, scope: GalleryScope): Promise<void> {
  if (saving.has(id)) return
  saving.add(id)
  showToast({ kind: 'info', title: 'Downloading video' })
  await saveVideo(id, scope).finally(() => saving.delete(id))
}

async function saveVideo(id: string, scope: GalleryScope): Promise<void> {
  const problem = await saveFile(paths.api.download(id), `video-${id}.mp4`)
  if (problem === null) return showToast({ kind: 'success', title: DONE[scope] })
  const reason = (problem.message ?? 'Could not download video').replace(/\.$/, '')
  const hint = problem.isOffline ? NO_CONNECTION : 'Right-click video to save manually'
  showToast({ kind: 'error', title: 'Download failed', description: `${reason}. ${hint}` })
  // Without a connection the tab would show only the browser's error page.
  if (!problem.isOffline) window.open(paths.media(id, 'mp4'), '_blank', 'noopener')
}

type Chosen = Pick<GalleryValue, 'page' | 'scope' | 'selected'>

let isSavingChosen = false

/**
 * Saves the chosen videos one after the other and reports the progress. Videos that fail are
 * skipped; without a connection it stops. Does nothing while an earlier choice is being saved.
 */
export async function downloadChosen(gallery: Chosen, choice: Choice): Promise<void> {
  if (isSavingChosen) return
  isSavingChosen = true
  await saveChosen(gallery, choice).finally(() => (isSavingChosen = false))
}

async function saveChosen(gallery: Chosen, choice: Choice): Promise<void> {
  const ids =
    choice === 'selected' ? completedOf(gallery) : await findCompleted(queryOf(gallery, choice))
  if (ids === null) return showNoList()
  if (ids.length === 0) return showNothingToDownload()
  let saved = 0
  for (const [index, id] of ids.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    showToast({
      kind: 'info',
      title: 'Downloading videos',
      description: `${index + 1} of ${ids.length}`,
    })
    const problem = await saveFile(paths.api.download(id), `video-${id}.mp4`)
    if (problem?.isSignedOut) return
    if (problem?.isOffline) {
      const description = `Downloaded ${saved} of ${ids.length} videos. ${NO_CONNECTION}`
      return showToast({ kind: 'error', title: 'Download failed', description })
    }
    if (problem === null) saved += 1
  }
  showToast({
    kind: saved === 0 ? 'error' : 'success',
    title: saved === 0 ? 'Download failed' : DONE[gallery.scope],
    description: `Successfully downloaded ${saved} of ${ids.length} videos`,
  })
}

/** Returns the ticked videos that have a file, in the order of the page. */
function completedOf({ page, selected }: Chosen): string[] {
  const ticked = new Set(selected)
  return page.videos
    .filter(({ id, status }) => ticked.has(id) && status === 'completed')
    .map(({ id }) => id)
}

function showNothingToDownload(): void {
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

function showNoList(): void {
  const cause = navigator.onLine ? {} : { description: NO_CONNECTION }
  showToast({ kind: 'error', title: 'Failed to fetch videos', ...cause })
}

/**
 * Says that the browser downloads an archive, in place of the message of an earlier failure, or that
 * it cannot. If the server refuses the archive, a new page says so.
 */
export function tellArchive(): void {
  showToast(
    navigator.onLine
      ? { kind: 'info', title: 'Downloading videos' }
      : { kind: 'error', title: 'Download failed', description: NO_CONNECTION },
  )
}

/** Saves the prompts of the chosen videos as a text file. */
export async function downloadPrompts(gallery: Chosen, choice: Choice): Promise<void> {
  const query = queryOf(gallery, choice)
  if (choice === 'selected') {
    if (gallery.selected.length === 0) return showToast(NOTHING_SELECTED)
    for (const id of gallery.selected) query.append('ids', id)
  }
  const url = `${paths.prompts}?${query}`
  const problem = await saveFile(url, 'prompts.txt')
  if (problem === null) return showToast({ kind: 'success', title: 'Prompts downloaded' })
  showToast({
    kind: 'error',
    title: 'Download failed',
    description: problem.message ?? (problem.isSilent ? 'An error occurred' : problem.text),
  })
}
