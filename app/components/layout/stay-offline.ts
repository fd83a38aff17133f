import type { MouseEvent } from 'react'
import { NO_CONNECTION } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { isPlainPress } from '../ui/plain-press'
import { showToast } from '../ui/toasts'
import { isOnlyDialog } from './should-revalidate'

const isDownload = ({ pathname }: HTMLAnchorElement): boolean =>
  pathname === paths.downloads || pathname.startsWith('/api/')

/**
 * Keeps the page when a link is pressed without a connection: the next page could not be loaded, and
 * the browser would show its own error page. Dialogs need no connection, and downloads report it
 * themselves. For the capture phase, before the link itself handles the press.
 */
export function stayOffline(event: MouseEvent): void {
  if (navigator.onLine || !isPlainPress(event) || !(event.target instanceof Element)) return
  const link = event.target.closest('a')
  if (link?.target !== '' || link.origin !== location.origin) return
  if (link.hasAttribute('download') || isDownload(link)) return
  const nextUrl = new URL(link.href)
  const currentUrl = new URL(location.href)
  const isInPage =
    nextUrl.hash !== '' && nextUrl.href.split('#')[0] === currentUrl.href.split('#')[0]
  if (isInPage || isOnlyDialog({ currentUrl, nextUrl })) return
  event.preventDefault()
  event.stopPropagation()
  showToast({
    kind: 'error',
    title: NO_CONNECTION,
    description: 'This page stays as it is. Try again when you are back online.',
  })
}
