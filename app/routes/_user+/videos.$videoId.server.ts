import type { UserCtx } from '~/domain/context'
import { endShareForm, shareLinkForm } from '~/domain/videos/schemas'
import { createShareLink, endShareLink } from '~/domain/videos/share-links.server'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'

/** Returns the handlers that create and end links to a video's clip. */
export function shareForms(ctx: UserCtx, videoId: string): Record<string, FormHandler> {
  const to = paths.video(videoId)
  return {
    share: form('Link not created', shareLinkForm, async (input) => {
      await createShareLink(ctx, videoId, input)
      return { to, toast: { kind: 'success', title: 'Link created' } }
    }),
    'end-share': form('Link not ended', endShareForm, async ({ token }) => {
      await endShareLink(ctx, token)
      return { to, toast: { kind: 'success', title: 'Link ended' } }
    }),
  }
}
