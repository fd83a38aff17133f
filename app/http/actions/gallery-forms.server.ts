import { z } from 'zod'
import { retryAllFailed } from '~/domain/batches/retry-all-failed.server'
import type { UserCtx } from '~/domain/context'
import { deleteVideo, deleteVideos } from '~/domain/videos/requests/delete-videos.server'
import { editVideo, regenerateVideo, retryVideo } from '~/domain/videos/requests/redo-video.server'
import { editVideoForm, oneVideoForm, selectedVideosForm } from '~/domain/videos/schemas'
import { closedAddress } from '~/lib/dialog-address'
import { form } from '../forms/forms.server'
import { readFormKey } from '../forms/idempotency.server'
import { redirectWithToast } from '../session/toast.server'

type Options = {
  request: Request
  /** Where to redirect after a deletion, if the page is about the deleted video itself. */
  afterDelete?: string
}

/**
 * Returns the handlers for the cards and dialogs of a gallery. A page spreads them into its action.
 * A success leads to the same page with the dialog closed.
 */
export function galleryForms(ctx: UserCtx, { request, afterDelete }: Options) {
  const back = pageOf(request)
  const done = async (title: string, description?: string) => ({
    to: back,
    toast: { kind: 'success' as const, title, description },
  })
  return {
    retry: form('Retry failed', oneVideoForm, async ({ on }) => {
      await retryVideo(ctx, on)
      return done('Retry started')
    }),
    regenerate: form('Regenerate failed', oneVideoForm, async ({ on }) => {
      await regenerateVideo(ctx, on)
      return done('Regenerate started')
    }),
    edit: form('Generation failed', editVideoForm, async ({ on, prompt }, data) => {
      await editVideo(ctx, { id: on, prompt, key: readFormKey(data) })
      return done('Generation started')
    }),
    delete: form('Delete failed', oneVideoForm, async ({ on }) => {
      await deleteVideo(ctx, on)
      const title = 'Video deleted'
      if (afterDelete === undefined) return done(title)
      return redirectWithToast(afterDelete, { kind: 'success', title })
    }),
    'delete-selected': form('Delete failed', selectedVideosForm, async ({ ids }) => {
      await deleteVideos(ctx, ids)
      return done('Videos deleted')
    }),
    'retry-all': form('Retry All failed', z.object({}), async () => {
      const { count, message } = await retryAllFailed(ctx)
      if (count === 0) return { to: back, toast: { kind: 'info', title: message } }
      return done('Retry All started', message)
    }),
  }
}

/**
 * Returns the page that contains a gallery's form, without the dialog and the parameters that the
 * form added.
 */
export function pageOf({ url }: Request): string {
  const { pathname, search } = new URL(url)
  const kept = new URLSearchParams(closedAddress(search))
  for (const name of ['ids', 'select', 'choice', 'scope']) kept.delete(name)
  return `${pathname}?${kept}`
}
