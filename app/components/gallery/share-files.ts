import { paths } from '~/lib/paths'
import { nameOf } from '../ui/save-file'
import { showToast } from '../ui/toasts'

/** What the share sheets of browsers take. */
export const MOST_SHARED = 10
const MOST_MB = 50

const asFile = (bytes: BlobPart[], name: string) => new File(bytes, name, { type: 'video/mp4' })

/** Whether the browser has a share sheet that takes files. */
export const canShareFiles = (): boolean =>
  'canShare' in navigator && navigator.canShare({ files: [asFile([], 'clip.mp4')] })

const fail = (description?: string) =>
  showToast({
    kind: 'error',
    title: 'Nothing was shared',
    ...(description !== undefined && { description }),
  })

/** Loads clips one after the other, under the names of their downloads, and hands them to the share sheet. */
export async function shareClips(ids: readonly string[]): Promise<void> {
  if (ids.length > MOST_SHARED) return fail(`Choose at most ${MOST_SHARED} clips.`)
  const files: File[] = []
  let bytes = 0
  for (const id of ids) {
    const response = await fetch(paths.api.download(id)).catch(() => null)
    if (!response?.ok) return fail('A clip could not be loaded. Try again.')
    bytes += Number(response.headers.get('Content-Length') ?? 0)
    if (bytes > MOST_MB * 1024 * 1024)
      return fail(`The clips have more than ${MOST_MB} MB. Choose fewer.`)
    const name = nameOf(response.headers.get('Content-Disposition')) ?? `clip-${id}.mp4`
    files.push(asFile([await response.blob()], name))
  }
  await openSheet(files)
}

async function openSheet(files: File[]): Promise<void> {
  try {
    await navigator.share({ files })
  } catch (error) {
    const why = error instanceof DOMException ? error.name : ''
    // Closing the sheet is no failure.
    if (why === 'AbortError') return
    if (why !== 'NotAllowedError') return fail()
    // Loading took longer than browsers remember a press.
    const action = { label: 'Share', onPress: () => void openSheet(files) }
    showToast({ kind: 'info', title: 'The clips are loaded', action })
  }
}
