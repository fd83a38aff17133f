import { redirect } from '@remix-run/node'
import { z } from 'zod'
import {
  addDraftPictures,
  removeDraftPicture,
  type NewPicture,
} from '~/domain/videos/requests/draft-pictures.server'
import { readDraft } from '~/domain/videos/requests/drafts'
import { saveDraft } from '~/domain/videos/requests/drafts.server'
import { MOST_DRAFT_PICTURES, nameOfFile } from '~/domain/videos/requests/pictures'
import type { UserCtx } from '~/domain/context'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '../forms/forms.server'
import { filesOf, textOf } from '../forms/form-data.server'

/** The file field of the pictures, and what the page has shown of those that are there. */
const FILES = 'pictures'
export const SHOWN = 'shownPictures'

const anything = z.object({})

type Handlers = Record<string, FormHandler>

/** Where pictures are shown, and what else of the form is kept when they change. */
type Place = { back: string; keep?: (data: FormData) => Promise<unknown> }

/** Returns the handlers that add and remove the pictures of the next batch. */
export function pictureListForms(
  ctx: UserCtx,
  { back, keep = async () => undefined }: Place,
): Handlers {
  const remove = (index: number) =>
    form('Picture not removed', anything, async (_input, data) => {
      await keep(data)
      // The place is that on the page, whatever another tab has done since.
      await removeDraftPicture(ctx, textOf(data, SHOWN).split(' ')[index] ?? '')
      return redirect(back, 303)
    })
  return {
    'add-pictures': form('Pictures not added', anything, async (_input, data) => {
      await keep(data)
      await addDraftPictures(ctx, await readPictures(data))
      return redirect(back, 303)
    }),
    ...Object.fromEntries(
      Array.from({ length: MOST_DRAFT_PICTURES }, (_, i) => [`remove-picture-${i}`, remove(i)]),
    ),
  }
}

/** What was typed into the bulk box stays in it. */
export const keepBox = (ctx: UserCtx) => (data: FormData) =>
  saveDraft(ctx, 'bulk', readDraft(data, 'promptLines'))

/**
 * Adds pictures that were chosen in the bulk form before anything else is done with it. Nothing is started
 * with what the user has not seen: such a form leads to `review` first.
 */
export function withChosenPictures(
  ctx: UserCtx,
  handlers: Handlers,
  review: FormHandler,
): Handlers {
  const after = (intent: string, handler: FormHandler): FormHandler => ({
    ...handler,
    run: (data) => {
      if (filesOf(data, FILES).length === 0) return handler.run(data)
      const next = STARTS.test(intent) ? review : handler
      return addFirst(ctx, data, next)
    },
  })
  return Object.fromEntries(
    Object.entries(handlers).map(([intent, handler]) => [intent, after(intent, handler)]),
  )
}

const STARTS = /^(?:start|run|queue)-/

/** Adds the chosen pictures and goes on with the form without them. */
async function addFirst(ctx: UserCtx, data: FormData, next: FormHandler) {
  const pictures = pictureListForms(ctx, { back: paths.create('bulk'), keep: keepBox(ctx) })
  const added = await pictures['add-pictures']?.run(data)
  if (added === undefined || 'failure' in added) return added ?? next.run(data)
  data.delete(FILES)
  return next.run(data)
}

/** Reads the pictures of a form, each under the name that it gets. */
export function readPictures(data: FormData): Promise<NewPicture[]> {
  return Promise.all(
    filesOf(data, FILES).map(async (file) => ({
      name: nameOfFile(file.name),
      bytes: Buffer.from(await file.arrayBuffer()),
    })),
  )
}
