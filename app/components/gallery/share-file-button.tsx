import { useState } from 'react'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'
import { showToast } from '../ui/toasts'
import { useHydrated } from '../ui/use-hydrated'
import { completedOf, showNoList } from './downloads'
import { useGallery, useTicks } from './gallery-context'
import { NOTHING_SELECTED } from './nothing-selected'
import { canShareFiles, MOST_SHARED, shareClips } from './share-files'

type Props = {
  label: string
  /** The clips to share. Null: it has been said why there are none. */
  find: () => Promise<readonly string[] | null>
}

/** Hands clips to the share sheet of the system. Shown only where the browser has one for files. */
function FilesButton({ label, find }: Props) {
  const isHydrated = useHydrated()
  const [isLoading, setLoading] = useState(false)
  if (!isHydrated || !canShareFiles()) return null
  const share = async () => {
    setLoading(true)
    const ids = await find()
    if (ids !== null) await shareClips(ids)
    setLoading(false)
  }
  return (
    <Button type="button" look="plain" disabled={isLoading} onClick={() => void share()}>
      <Icon name="share-2" className="size-4" />
      {isLoading ? 'Loading…' : label}
    </Button>
  )
}

/** Shares the clip of one video as a file. */
export const ShareFileButton = ({ videoId }: { videoId: string }) => (
  <FilesButton label="Share the file" find={() => Promise.resolve([videoId])} />
)

/** Shares the ticked clips as files, at once. */
export function ShareFilesButton() {
  const { page, scope } = useGallery()
  const { selection } = useTicks()
  const find = async () => {
    const videos = await completedOf({ page, scope, selection })
    if (videos === null) return (showNoList(), null)
    if (videos.length === 0) return (showToast(NOTHING_SELECTED), null)
    return videos.map(({ id }) => id)
  }
  return <FilesButton label={`Share files (up to ${MOST_SHARED})`} find={find} />
}
