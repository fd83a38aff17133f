import { callApi, NO_CONNECTION } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { saveFile } from '../ui/save-file'
import { showToast, type ToastMessage } from '../ui/toasts'
import { queryOf, type Choice } from './choice-query'
import type { GalleryScope, GalleryValue } from './gallery-context'
import { NOTHING_SELECTED } from './nothing-selected'
import { fieldsOf, sizeOf, type Selection } from './selection'

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

/** The gallery, and what is ticked in it. */
export type Chosen = Pick<GalleryValue, 'page' | 'scope'> & { selection: Selection }

/** A video of a run, and how its failure is named. */
type Wanted = { id: string; prompt: string }

let isRunning = false

/** Saves the ticked videos one after the other. Does nothing while another run goes on. */
export function downloadSelected(gallery: Chosen): Promise<void> {
  return run(gallery.scope, () => completedOf(gallery))
}

/** The same for the videos that a query of the list call finds. */
export function downloadFound(
  { scope }: Pick<GalleryValue, 'scope'>,
  query: string,
): Promise<void> {
  return run(scope, () => findCompleted(new URLSearchParams(query)))
}

async function run(scope: GalleryScope, find: () => Promise<Wanted[] | null>): Promise<void> {
  if (isRunning) return
  isRunning = true
  try {
    const videos = await find()
    if (videos === null) showNoList()
    else if (videos.length === 0) showNothingToDownload()
    else await saveAll(videos, scope)
  } finally {
    isRunning = false
  }
}

/**
 * Saves videos in their order, and shows the progress with a button that stops it after the present
 * one. Goes on after a failure, and names what failed in the end; without a connection it stops.
 */
async function saveAll(videos: readonly Wanted[], scope: GalleryScope): Promise<void> {
  const failed: Wanted[] = []
  let saved = 0
  const stop = new AbortController()
  const action = { label: 'Stop', onPress: () => stop.abort() }
  const tellEnd = (toast: Pick<ToastMessage, 'kind' | 'title'>, more = '') => {
    const text = `Successfully downloaded ${saved} of ${videos.length} videos`
    const description = [text, failedText(failed), more].filter((part) => part !== '').join('. ')
    showToast({ ...toast, description, endsRun: true })
  }
  for (const [index, { id, prompt }] of videos.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    if (stop.signal.aborted) return tellEnd({ kind: 'info', title: 'Download stopped' })
    const description = `${index + 1} of ${videos.length}`
    showToast({ kind: 'info', title: 'Downloading videos', description, action, isRun: true })
    const problem = await saveFile(paths.api.download(id), `video-${id}.mp4`)
    if (problem?.isSignedOut) return
    if (problem?.isOffline) {
      return tellEnd({ kind: 'error', title: 'Download failed' }, NO_CONNECTION)
    }
    if (problem === null) saved += 1
    else failed.push({ id, prompt })
  }
  tellEnd(
    saved === 0
      ? { kind: 'error', title: 'Download failed' }
      : { kind: 'success', title: DONE[scope] },
  )
}

/** Names the videos that could not be saved, the first three of them by their prompts. */
function failedText(failed: readonly Wanted[]): string {
  if (failed.length === 0) return ''
  const names = failed.slice(0, 3).map(({ prompt }) => `“${excerpt(prompt, 40)}”`)
  const rest = failed.length - names.length
  return `Failed: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/**
 * Returns the ticked videos that have a clip: those of the page in its order, then those of other pages,
 * as they were ticked. Returns null if the list of all that match cannot be read.
 */
export async function completedOf({ page, scope, selection }: Chosen): Promise<Wanted[] | null> {
  if (selection.kind === 'all') {
    const { filters, until, except } = selection
    const query = queryOf({ page: { ...page, filters }, scope }, 'filtered')
    const found = await findCompleted(query)
    return found?.filter(({ id, createdAt }) => createdAt <= until && !except.includes(id)) ?? null
  }
  const elsewhere = new Map(selection.picked.map((one) => [one.id, one]))
  const here = page.videos.filter(({ id }) => elsewhere.delete(id))
  return [
    ...here.filter(({ status }) => status === 'completed'),
    ...[...elsewhere.values()].filter(({ hasClip }) => hasClip),
  ]
}

/** Says that there is nothing to download. */
export function showNothingToDownload(): void {
  showToast({
    kind: 'error',
    title: 'No videos to download',
    description: 'No completed videos found',
  })
}

type Found = Wanted & { createdAt: string }

/**
 * Returns all completed videos that a query of the list call finds, oldest first, or a batch in the
 * order of its prompts. Returns null if the call fails.
 */
export async function findCompleted(query: URLSearchParams): Promise<Found[] | null> {
  // A filter for another state matches no video with a file. It must not find more than the page
  // shows.
  if (!['all', 'completed'].includes(query.get('status') ?? 'all')) return []
  query.set('limit', '10000')
  query.set('status', 'completed')
  const result = await callApi<{ videos: Found[] }>('GET', `${paths.api.videos}?${query}`)
  if (!result.ok) return null
  const { videos } = result.data
  return query.has('inOrder') ? videos : videos.reverse()
}

/** Says that the list could not be read. */
export function showNoList(): void {
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

/**
 * Saves the ticked videos as one archive, with a form that the browser posts to the address. It answers
 * with a file, so the page stays.
 */
export function downloadSelectedArchive({ selection, scope }: Chosen, address: string): void {
  if (sizeOf(selection) === 0) return showToast(NOTHING_SELECTED)
  tellArchive()
  // The browser would replace the page by its own error page.
  if (!navigator.onLine) return
  const form = Object.assign(document.createElement('form'), { method: 'post', action: address })
  for (const [name, value] of entriesOf(fieldsOf(selection, scope))) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

/** Lists fields as pairs. A list becomes one pair per value. */
export const entriesOf = (fields: ReturnType<typeof fieldsOf>): [name: string, value: string][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((text): [string, string] => [name, text]),
  )

/** The files that list the chosen videos, and the words of their buttons. */
export const LISTS = {
  prompts: { path: paths.prompts, file: 'prompts.txt', label: 'Prompts' },
  posts: { path: paths.postingList, file: 'posting-list.csv', label: 'Posting list' },
} as const

/** Saves a list of the chosen videos as a file. */
export async function downloadList(
  gallery: Chosen,
  choice: Choice,
  of: keyof typeof LISTS,
): Promise<void> {
  const { selection, scope } = gallery
  const { path, file, label } = LISTS[of]
  const isSelected = choice === 'selected'
  if (isSelected && sizeOf(selection) === 0) return showToast(NOTHING_SELECTED)
  const problem = isSelected
    ? await saveFile(path, file, entriesOf(fieldsOf(selection, scope)))
    : await saveFile(`${path}?${queryOf(gallery, choice)}`, file)
  if (problem === null) return showToast({ kind: 'success', title: `${label} downloaded` })
  showToast({
    kind: 'error',
    title: 'Download failed',
    description: problem.message ?? (problem.isSilent ? 'An error occurred' : problem.text),
  })
}
