import type { UserCtx } from '~/domain/context'
import { USUAL } from '~/domain/videos/offer'
import { allProviders } from '~/domain/providers.server'
import { offerOf, soldTextOf } from '~/domain/videos/offers.server'
import { findPromptText } from '~/domain/prompts/daily.server'
import { findVideo } from '~/domain/videos/queries.server'
import { listDraftPictures } from '~/domain/videos/requests/draft-pictures.server'
import { settingsOf, type DraftText } from '~/domain/videos/requests/drafts'
import { getDrafts, hasListDraft } from '~/domain/videos/requests/drafts.server'
import { canContinue } from '~/domain/videos/requests/last-picture.server'
import { picturesOf, takesEndPictures } from '~/domain/videos/requests/picture-video.server'
import type { Continued } from '~/domain/videos/requests/pictures'
import { newFormKey } from '../forms/idempotency.server'
import type { SignedInArgs } from '../session/guards.server'

/**
 * Returns what the forms of the create screen need, for the signed-in user and the page's query
 * string.
 */
export async function readForms({ ctx, account }: SignedInArgs, search: URLSearchParams) {
  const pictures = picturesOf(ctx)
  const [drafts, offered, continued, hasList, draftPictures] = await Promise.all([
    getDrafts(ctx),
    readOffered(ctx, search),
    readContinued(ctx, search.get('continue')),
    hasListDraft(ctx),
    pictures === 'on' ? listDraftPictures(ctx) : null,
  ])
  return {
    userId: account.id,
    formKey: newFormKey(),
    offered,
    drafts,
    hasList,
    pictures,
    takesEndPictures: takesEndPictures(ctx),
    draftPictures,
    continued,
    offer: soldTextOf(ctx, account.route),
    resolutions: resolutionsOf(ctx),
    // Without one the page has no word of it.
    ...(ctx.texts && { hasTexts: true as const }),
  }
}

/** Returns the resolution of each model that has another one than usual. */
const resolutionsOf = (ctx: UserCtx): Record<string, string> =>
  Object.fromEntries(
    allProviders(ctx)
      .map((provider) => offerOf(ctx, provider))
      .filter(({ resolution }) => resolution !== USUAL.resolution)
      .map(({ model, resolution }) => [model, resolution]),
  )

/**
 * Returns what a link to the create screen fills in: a text in the address, or, because a prompt may
 * be longer than an address can be, that of the library or of a video that the address names.
 */
async function readOffered(
  ctx: UserCtx,
  search: URLSearchParams,
): Promise<Partial<DraftText> | null> {
  const text = search.get('prompt') ?? (await findPromptText(ctx, search.get('daily')))
  if (text !== null) return { text }
  const video = await findVideo(ctx, search.get('like'))
  return video && { ...settingsOf(video), text: video.prompt }
}

/** Returns the clip that a link to the image tab continues. */
async function readContinued(ctx: UserCtx, clipId: string | null): Promise<Continued> {
  if (clipId === null || !canContinue(ctx)) return null
  const video = await findVideo(ctx, clipId)
  if (!video?.videoUrl) return 'gone'
  const { id, prompt, thumbnailUrl } = video
  return { id, prompt, thumbnailUrl }
}
