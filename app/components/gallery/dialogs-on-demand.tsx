import { useLocation } from '@remix-run/react'
import type { ComponentProps } from 'react'
import { readDialog } from '~/lib/dialog-address'
import { onDemand } from '../ui/on-demand'
import type { GalleryDialogs as Dialogs } from './gallery-dialogs'

const Opened = onDemand(async () => (await import('./gallery-dialogs')).GalleryDialogs)

/** The dialogs of a gallery and of a video's page, opened by the URL. */
export function GalleryDialogs(props: ComponentProps<typeof Dialogs>) {
  const { search } = useLocation()
  if (readDialog(new URLSearchParams(search)).name === null) return null
  return <Opened {...props} />
}
