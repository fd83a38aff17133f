import { reach, readFailure, unanswered } from '~/lib/call-api'
import { goToSignIn } from './go-to-sign-in'

/**
 * Why a file could not be saved. `message` is the server's message, if it sent one. Otherwise
 * `text` describes the failure, unless `isSilent`. `isPage`: the server redirected to a page
 * instead. `isOffline`: there is no connection.
 */
export type SaveProblem = {
  message: string | null
  text: string
  isSilent: boolean
  isPage: boolean
  isOffline: boolean
  /** The session has ended, and the page is being left. */
  isSignedOut: boolean
}

/**
 * Fetches a file and saves it under the server's file name. `fields` are posted as a form. Returns the
 * problem if it failed, otherwise null.
 */
export async function saveFile(
  url: string,
  fallbackName: string,
  fields?: [name: string, value: string][],
): Promise<SaveProblem | null> {
  const form = fields && { method: 'POST', body: new URLSearchParams(fields) }
  try {
    const response = await reach(url, { headers: { Accept: 'application/json, */*' }, ...form })
    const isSignedOut = response.status === 401
    if (isSignedOut) goToSignIn()
    if (!response.ok) return { ...FAILED, ...(await readFailure(response)), isSignedOut }
    if (response.redirected) return { ...FAILED, isSilent: true, isPage: true }
    const blob = await response.blob()
    const address = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = address
    link.download = nameOf(response.headers.get('Content-Disposition')) ?? fallbackName
    link.click()
    // Wait until the browser has started to read the file.
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
    return null
  } catch {
    return { ...FAILED, text: unanswered(), isOffline: !navigator.onLine }
  }
}

const FAILED: SaveProblem = {
  message: null,
  text: '',
  isSilent: false,
  isPage: false,
  isOffline: false,
  isSignedOut: false,
}

/**
 * Returns the file name of a Content-Disposition header, preferring the percent-encoded one (RFC
 * 6266).
 */
export function nameOf(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
}
