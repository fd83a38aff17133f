import { useEffect, useRef, useState, type MouseEvent } from 'react'
import type { DownloadChoices } from '~/domain/videos/gallery/download-options.server'
import { callApi } from '~/lib/call-api'
import { closedAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { Dialog } from '../ui/dialog'
import { useClose } from './bulk-dialogs'
import { queryOf } from './choice-query'
import { DownloadSizes } from './download-sizes'
import { downloadFound, showNoList, tellArchive } from './downloads'
import { useGallery } from './gallery-context'

/**
 * Says how many clips a download has, and how large they are, before it starts. Closes with a toast
 * if that cannot be read.
 */
export function DownloadDialog() {
  const gallery = useGallery()
  const close = useClose(closedAddress(gallery.search))
  const [choices, setChoices] = useState<DownloadChoices | null>(null)
  const [query, setQuery] = useState(() => `${queryOf(gallery, 'filtered')}`)
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    let isWanted = true
    void callApi<DownloadChoices>('GET', `${paths.api.downloads}?${query}`).then((result) => {
      if (!isWanted) return
      if (result.ok) return setChoices(result.data)
      latest.current()
      showNoList()
    })
    return () => {
      isWanted = false
    }
  }, [query])
  return (
    <Dialog title="Download videos">
      {choices === null ? (
        <p role="status" className="text-sm text-soft">
          Counting…
        </p>
      ) : (
        <DownloadSizes
          choices={choices}
          onRange={(form) => {
            const days = [...form].filter((entry): entry is [string, string] => entry[1] !== '')
            setQuery(`${new URLSearchParams(days)}`)
          }}
          onZip={(event: MouseEvent) => {
            // The browser would replace the page by its own error page.
            if (!navigator.onLine) event.preventDefault()
            tellArchive()
          }}
          onEach={({ query: chosen }) => {
            close()
            void downloadFound(gallery, chosen)
          }}
        />
      )}
    </Dialog>
  )
}
