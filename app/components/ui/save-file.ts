import { readFailure, REQUEST_FAILED } from '~/lib/call-api'
import { goToSignIn } from './go-to-sign-in'

/**
 * Why a file could not be saved: `message` in the server's words if it had any, else `text`, and
 * nothing where it `isSilent`; `isPage` where a page came instead.
 */
export type SaveProblem = {
  message: string | null
  text: string
  isSilent: boolean
  isPage: boolean
}

/** Fetches a file and hands it to the browser under the server's name; answers what went wrong. */
export async function saveFile(url: string, fallbackName: string): Promise<SaveProblem | null> {
  try {
    const response = await fetch(url, { headers: { Accept: 'application/json, */*' } })
    if (response.status === 401) goToSignIn()
    if (!response.ok) return { ...(await readFailure(response)), isPage: false }
    if (response.redirected) return { message: null, text: '', isSilent: true, isPage: true }
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
    return { message: null, text: REQUEST_FAILED, isSilent: false, isPage: false }
  }
}

/** The name of a Content-Disposition header, the percent-encoded one before the plain one (RFC 6266). */
function nameOf(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
}
