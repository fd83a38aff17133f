import { useState } from 'react'
import { paths } from '~/lib/paths'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { useHydrated } from '../ui/use-hydrated'
import { showToast } from '../ui/toasts'

const asFile = (bytes: BlobPart[]) => new File(bytes, 'video.mp4', { type: 'video/mp4' })

const canShareFiles = (): boolean =>
  'canShare' in navigator && navigator.canShare({ files: [asFile([])] })

/** Hands the clip to the share sheet of the system. Shown only where the browser has one for files. */
export function ShareFileButton({ videoId }: { videoId: string }) {
  const isHydrated = useHydrated()
  const [isLoading, setLoading] = useState(false)
  if (!isHydrated || !canShareFiles()) return null
  const share = async () => {
    setLoading(true)
    try {
      const response = await fetch(paths.media(videoId, 'mp4'))
      if (!response.ok) throw new Error('no clip')
      await navigator.share({ files: [asFile([await response.blob()])] })
    } catch (error) {
      // Closing the sheet is no failure.
      const isClosed = error instanceof DOMException && error.name === 'AbortError'
      if (!isClosed) showToast({ kind: 'error', title: 'The video was not shared' })
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button type="button" look="plain" disabled={isLoading} onClick={() => void share()}>
      <Icon name="share-2" className="size-4" />
      Share the file
    </Button>
  )
}
