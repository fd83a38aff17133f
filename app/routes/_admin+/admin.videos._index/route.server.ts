import { z } from 'zod'
import { cancelRegeneration } from '~/domain/batches/cancel-regeneration.server'
import { regenerateAll, regenerateSelected } from '~/domain/batches/regenerate-as-admin.server'
import type { AdminCtx } from '~/domain/context'
import { deleteVideos, deletionText } from '~/domain/videos/requests/delete-videos.server'
import { MOST_UNCOUNTED } from '~/domain/videos/rules'
import { changeMany, stopMassChange } from '~/domain/videos/admin/mass-change.server'
import { strictVideosFilter } from '~/domain/videos/admin/all-videos-schemas'
import { oneVideoForm, statusFilter } from '~/domain/videos/schemas'
import { form } from '~/http/forms/forms.server'
import { refuseOtherNumber, typedNumber } from '~/http/forms/typed-number.server'
import { chosenIds, galleryForms, pageOf } from '~/http/actions/gallery-forms.server'
import { readFormKey } from '~/http/forms/idempotency.server'

const filteredForm = strictVideosFilter.merge(typedNumber)
/** A page of an earlier version sends no filters, and has said so. */
const regenerateForm = filteredForm.extend({ status: statusFilter.default('all') })

/** Refuses many videos without their number. */
function refuseUncounted(count: number, data: FormData, safe: string): void {
  if (count <= MOST_UNCOUNTED) return
  const numbers = typedNumber.partial().parse(Object.fromEntries(data))
  refuseOtherNumber({ typed: numbers.typed ?? '', expected: numbers.expected ?? count }, safe)
}

/** Returns the form handlers of one card, and of the ticked cards that are deleted. */
function oneVideoForms(ctx: AdminCtx, request: Request) {
  const forms = galleryForms(ctx, { request, isOwn: false })
  const done = (title: string, description?: string) => ({
    to: pageOf(request),
    toast: { kind: 'success' as const, title, description },
  })
  return {
    edit: forms.edit,
    delete: forms.delete,
    'delete-selected': form('Failed to delete videos', z.object({}), async (_, data) => {
      const ids = await chosenIds(ctx, data)
      refuseUncounted(ids.length, data, 'Nothing was deleted.')
      return done('Videos deleted', deletionText(await deleteVideos(ctx, ids)))
    }),
    // Administrators make one video again as they make many again: with their own tokens.
    retry: form('Retry failed', oneVideoForm, async ({ on }) => {
      await regenerateSelected(ctx, [on])
      return done('Retry started')
    }),
    regenerate: form('Regenerate failed', oneVideoForm, async ({ on }) => {
      await regenerateSelected(ctx, [on])
      return done('Regenerate started')
    }),
  }
}

/** Returns the form handlers of the page that shows all users' videos. */
export function allVideosForms(ctx: AdminCtx, request: Request) {
  const back = pageOf(request)
  const done = async (title: string, description?: string) => ({
    to: back,
    toast: { kind: 'success' as const, title, description },
  })
  return {
    ...oneVideoForms(ctx, request),
    'delete-all': form(
      'Failed to delete videos',
      filteredForm,
      async ({ typed, expected, ...filter }) => {
        refuseOtherNumber({ typed, expected }, 'Nothing was deleted.')
        const { message } = await changeMany(ctx, { kind: 'delete', filter })
        return done('Videos deleted', message)
      },
    ),
    'regenerate-selected': form('Regeneration failed', z.object({}), async (_, data) => {
      const ids = await chosenIds(ctx, data)
      refuseUncounted(ids.length, data, 'Nothing was started.')
      const { message } = await regenerateSelected(ctx, ids, readFormKey(data))
      return done('Regeneration started', message)
    }),
    'regenerate-all': form(
      'Regeneration failed',
      regenerateForm,
      async ({ typed, expected, ...filter }, data) => {
        refuseOtherNumber({ typed, expected }, 'Nothing was started.')
        const { message } = await regenerateAll(ctx, { filter, key: readFormKey(data) })
        return done('Regeneration started', message)
      },
    ),
    'cancel-regeneration': form('Failed to stop', oneVideoForm, async ({ on }) => {
      await cancelRegeneration(ctx, on)
      return done('Regeneration stopped', 'What was sent already is finished.')
    }),
    'stop-change': form('Failed to stop', oneVideoForm, async ({ on }) => {
      await stopMassChange(ctx, on)
      return done('Stopped', 'What was already done remains; deleted videos are in the trash.')
    }),
  }
}
