import type { UserCtx } from '~/domain/context'
import {
  addClips,
  createCollection,
  deleteCollection,
  removeClips,
  renameCollection,
} from '~/domain/videos/collections.server'
import {
  collectionInput,
  endShareForm,
  intoCollectionForm,
  oneCollectionForm,
  outOfCollectionForm,
  renameCollectionForm,
  shareLinkForm,
} from '~/domain/videos/schemas'
import { createShareLink, endShareLink } from '~/domain/videos/share-links.server'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '../forms/forms.server'
import { addedToast, pageOf } from './gallery-forms.server'

/** Returns the handlers that rename and delete a collection, for the list and the page of one. */
export function collectionForms(ctx: UserCtx, request: Request): Record<string, FormHandler> {
  return {
    'rename-collection': form(
      'Collection not renamed',
      renameCollectionForm,
      async ({ on, name }) => {
        await renameCollection(ctx, { id: on, name })
        const toast = { kind: 'success' as const, title: 'Collection renamed', description: name }
        return { to: pageOf(request), toast }
      },
    ),
    'delete-collection': form('Collection not deleted', oneCollectionForm, async ({ on }) => {
      const { name } = await deleteCollection(ctx, on)
      const description = `“${name}”. Its clips stay in My Videos.`
      const toast = { kind: 'success' as const, title: 'Collection deleted', description }
      return { to: paths.collections, toast }
    }),
  }
}

/** Returns the handler that creates an empty collection, and leads to it. */
export const newCollectionForm = (ctx: UserCtx): FormHandler =>
  form('Collection not created', collectionInput, async (input) => {
    const { id, name } = await createCollection(ctx, input.name)
    const toast = { kind: 'success' as const, title: 'Collection created', description: name }
    return { to: paths.collection(id), toast }
  })

/** Returns the handlers that put one clip into a collection and take it out, on its page. */
export function clipCollectionForms(ctx: UserCtx, videoId: string): Record<string, FormHandler> {
  const to = `${paths.video(videoId)}#collections`
  return {
    collect: form('Not added', intoCollectionForm, async (into) => ({
      to,
      toast: addedToast(await addClips(ctx, { into, ids: [videoId] })),
    })),
    uncollect: form('Not removed', outOfCollectionForm, async ({ outOf }) => {
      const { name } = await removeClips(ctx, { id: outOf, ids: [videoId] })
      const description = `From the collection “${name}”.`
      return { to, toast: { kind: 'success', title: 'Clip removed', description } }
    }),
  }
}

/** Returns the handler that creates links to a collection. */
export const shareCollectionForm = (ctx: UserCtx, collectionId: string): FormHandler =>
  form('Link not created', shareLinkForm, async (input) => {
    await createShareLink(ctx, { collectionId }, input)
    const to = paths.collection(collectionId)
    return { to, toast: { kind: 'success', title: 'Link created' } }
  })

/** Returns the handler that ends links to clips and collections. `to` is the page. */
export function endShareForms(ctx: UserCtx, to: string): Record<string, FormHandler> {
  return {
    'end-share': form('Link not ended', endShareForm, async ({ token }) => {
      await endShareLink(ctx, token)
      return { to, toast: { kind: 'success', title: 'Link ended' } }
    }),
  }
}
