import { json } from '@remix-run/node'
import { webBoot } from '~/boot/web.server'
import { isAppError } from '~/domain/errors'
import { getShared } from '~/domain/videos/share-links.server'
import { paths } from '~/lib/paths'

/**
 * Loads what the page of a shared clip shows, with full addresses for messengers. Throws a 404 if the
 * link has ended.
 */
export async function loadShared(token: string) {
  const { db, settings } = webBoot().deps
  try {
    const { prompt, aspectRatio, posterKey } = await getShared(db, token)
    const address = (path: string) => new URL(path, settings.appUrl).href
    const posterUrl = posterKey === null ? null : address(paths.sharedPoster(token))
    return { token, prompt, aspectRatio, posterUrl, clipUrl: address(paths.sharedClip(token)) }
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') throw json(null, 404)
    throw error
  }
}
