import { z } from 'zod'
import { moreLikeThis } from '~/domain/batches/more-like-this.server'
import { retryAllFailed, retrySelected } from '~/domain/batches/retry-failed.server'
import type { UserCtx } from '~/domain/context'
import {
  deleteVideo,
  deleteVideos,
  deletionText,
  keptText,
  type Deletion,
} from '~/domain/videos/requests/delete-videos.server'
import { editVideo, regenerateVideo, retryVideo } from '~/domain/videos/requests/redo-video.server'
import { starVideo, starVideos } from '~/domain/videos/requests/star-videos.server'
import type { AddedClips } from '~/domain/videos/collections'
import { addClips, removeClips } from '~/domain/videos/collections.server'
import { readSelected } from '~/domain/videos/gallery/choice'
import { listChosenIds } from '~/domain/videos/gallery/chosen.server'
import {
  editVideoForm,
  intoCollectionForm,
  oneVideoForm,
  outOfCollectionForm,
  shareVideoForm,
} from '~/domain/videos/schemas'
import { createShareLink } from '~/domain/videos/share-links.server'
import { figure, plural } from '~/lib/figures'
import { closedAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { form, type Success } from '../forms/forms.server'
import { readFormKey } from '../forms/idempotency.server'
import type { Toast } from '../session/cookies.server'
import { redirectWithToast } from '../session/toast.server'
import { lineText } from './started-batch.server'

type Options = {
  request: Request
  /** Where to redirect after a deletion, if the page is about the deleted video itself. */
  afterDelete?: string
  /** Whether the videos are the user's own, who can undo a deletion. Default: true. */
  isOwn?: boolean
}

/**
 * Returns the handlers for the cards and dialogs of a gallery. A page spreads them into its action.
 * A success leads to the same page with the dialog closed.
 */
export function galleryForms(ctx: UserCtx, { request, afterDelete, isOwn = true }: Options) {
  const back = pageOf(request)
  const done: Done = async (title, description) => ({
    to: back,
    toast: { kind: 'success', title, description },
  })
  const deleted = async (title: string, { at }: Deletion, description?: string) => {
    const toast = {
      kind: 'success' as const,
      title,
      ...(description && { description }),
      ...(isOwn && at !== null && { undo: restoring(at) }),
    }
    return afterDelete === undefined ? { to: back, toast } : redirectWithToast(afterDelete, toast)
  }
  return {
    retry: form('Retry failed', oneVideoForm, async ({ on }) => {
      await retryVideo(ctx, on)
      return done('Retry started')
    }),
    regenerate: form('Regenerate failed', oneVideoForm, async ({ on }) => {
      await regenerateVideo(ctx, on)
      return done('Regenerate started')
    }),
    ...newVideoForms(ctx, done),
    share: shareForm(ctx),
    delete: form('Delete failed', oneVideoForm, async ({ on }) =>
      deleted('Video deleted', await deleteVideo(ctx, on)),
    ),
    'delete-selected': form('Delete failed', z.object({}), async (_, data) => {
      const deletion = await deleteVideos(ctx, await chosenIds(ctx, data))
      if (deletion.count === 0 && deletion.kept > 0)
        return deleted('No videos deleted', deletion, keptText(deletion.kept))
      return deleted('Videos deleted', deletion, deletionText(deletion))
    }),
    ...starForms(ctx, done),
    ...collectionForms(ctx, { back, done }),
    'retry-selected': form('Retry failed', z.object({}), async (_, data) => {
      const { count, message } = await retrySelected(ctx, await chosenIds(ctx, data))
      if (count === 0) return { to: back, toast: { kind: 'info', title: message } }
      return done('Retry started', message)
    }),
    'retry-all': form('Retry All failed', z.object({}), async () => {
      const { count, message } = await retryAllFailed(ctx)
      if (count === 0) return { to: back, toast: { kind: 'info', title: message } }
      return done('Retry All started', message)
    }),
  }
}

const restoring = (on: string) => ({
  intent: 'undo',
  on,
  action: paths.deleted,
  failed: 'Restoring failed',
})

/** Returns the handler that makes a link to a clip. It leads to the page of the clip, which lists it. */
const shareForm = (ctx: UserCtx) =>
  form('Link not created', shareVideoForm, async ({ on, ...input }) => {
    await createShareLink(ctx, { videoId: on }, input)
    return { to: `${paths.video(on)}#share`, toast: { kind: 'success', title: 'Link created' } }
  })

type Done = (title: string, description?: string) => Promise<Success>

/** Returns the handlers that order new videos from one that there is. */
function newVideoForms(ctx: UserCtx, done: Done) {
  return {
    edit: form('Generation failed', editVideoForm, async ({ on, prompt }, data) => {
      await editVideo(ctx, { id: on, prompt, key: readFormKey(data) })
      return done('Generation started')
    }),
    more: form('Generation failed', oneVideoForm, async ({ on }, data) => {
      const receipt = await moreLikeThis(ctx, { id: on, key: readFormKey(data) })
      if (receipt.place !== undefined) return done('Added to the line', lineText(receipt.place))
      return done(`${plural(receipt.totalVideos, 'more video')} started`)
    }),
  }
}

/** Returns the handlers that give and take stars. */
function starForms(ctx: UserCtx, done: Done) {
  return {
    star: form('Not starred', oneVideoForm, async ({ on }) => {
      await starVideo(ctx, { id: on, starred: true })
      return done('Starred')
    }),
    unstar: form('Star not removed', oneVideoForm, async ({ on }) => {
      await starVideo(ctx, { id: on, starred: false })
      return done('Star removed')
    }),
    'star-selected': form('Not starred', z.object({}), async (_, data) => {
      const count = await starVideos(ctx, { ids: await chosenIds(ctx, data), starred: true })
      return done(`${plural(count, 'video')} starred`)
    }),
    'unstar-selected': form('Stars not removed', z.object({}), async (_, data) => {
      const count = await starVideos(ctx, { ids: await chosenIds(ctx, data), starred: false })
      return done(`${plural(count, 'star')} removed`)
    }),
  }
}

/** Returns the handlers that put clips into a collection and take them out. */
function collectionForms(ctx: UserCtx, { back, done }: { back: string; done: Done }) {
  return {
    'collect-selected': form('Not added', intoCollectionForm, async (into, data) => ({
      to: back,
      toast: addedToast(await addClips(ctx, { into, ids: await chosenIds(ctx, data) })),
    })),
    'uncollect-selected': form('Not removed', outOfCollectionForm, async ({ outOf }, data) => {
      const ids = await chosenIds(ctx, data)
      const { name, removed } = await removeClips(ctx, { id: outOf, ids })
      return done(`${plural(removed, 'clip')} removed`, `From the collection “${name}”.`)
    }),
  }
}

/** Returns the toast about videos that were put into a collection. */
export function addedToast({ id, name, added, already, unfinished }: AddedClips): Toast {
  const notes = [
    `To the collection “${name}”.`,
    already > 0 && `${figure(already)} ${already === 1 ? 'was' : 'were'} in it before.`,
    unfinished > 0 && `${plural(unfinished, 'video')} without a clip left out.`,
  ]
  return {
    kind: 'success',
    title: `${plural(added, 'clip')} added`,
    description: notes.filter(Boolean).join(' '),
    link: { label: 'Open the collection', to: paths.collection(id) },
  }
}

/** Returns the ids of the videos that a gallery's form selects. Throws BAD_INPUT if there are none. */
export const chosenIds = async (ctx: UserCtx, data: FormData): Promise<string[]> =>
  listChosenIds(ctx, readSelected(textsOf(data)))

const textsOf = (data: FormData): URLSearchParams =>
  new URLSearchParams(
    [...data].flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )

/**
 * Returns the page that contains a gallery's form, without the dialog and the parameters that the
 * form or the framework added.
 */
export function pageOf({ url }: Request): string {
  const { pathname, search } = new URL(url)
  const kept = new URLSearchParams(closedAddress(search))
  const added = ['ids', 'select', 'all', 'except', 'choice', 'scope', 'index']
  for (const name of added) kept.delete(name)
  return `${pathname}?${kept}`
}

/** The forms of a gallery. Each has an entry in the table app/components/gallery/actions.ts. */
export type GalleryIntent = keyof ReturnType<typeof galleryForms>
