import { z } from 'zod'
import { PLATFORM_FAILED } from '~/domain/administration/failure-titles'
import { cancelRegeneration } from '~/domain/batches/cancel-regeneration.server'
import { regenerateAll, regenerateSelected } from '~/domain/batches/regenerate-as-admin.server'
import type { AdminCtx } from '~/domain/context'
import { AppError } from '~/domain/errors'
import { changeMany, stopMassChange } from '~/domain/videos/admin/mass-change.server'
import { allVideosDeleteQuery } from '~/domain/videos/admin/all-videos-schemas'
import { oneVideoForm, selectedVideosForm } from '~/domain/videos/schemas'
import { figure } from '~/lib/figures'
import { digitsOf } from '~/lib/digits'
import { form } from '../forms/forms.server'
import { galleryForms, pageOf } from './gallery-forms.server'
import { readFormKey } from '../forms/idempotency.server'
import { redirectWithToast } from '../session/toast.server'

/**
 * The confirmation for an action on all videos: the administrator types the number that was shown.
 */
const typedNumber = z.object({
  expected: z.string(),
  typed: z.string({ required_error: 'Type the number shown above' }).transform(digitsOf),
})

const deleteAllForm = allVideosDeleteQuery.merge(typedNumber)

function refuseOtherNumber({ typed, expected }: z.output<typeof typedNumber>, safe: string): void {
  if (typed === expected) return
  const problem = `That is not ${figure(Number(expected))}. ${safe}`
  throw new AppError('BAD_INPUT', problem, { fields: { typed: [problem] } })
}

/** Returns the form handlers of the page that shows all users' videos. */
export function allVideosForms(ctx: AdminCtx, request: Request) {
  const back = pageOf(request)
  const done = (title: string, description?: string) =>
    redirectWithToast(back, { kind: 'success', title, description })
  const { delete: deleteOne, 'delete-selected': deleteSelected } = galleryForms(ctx, { request })
  return {
    delete: deleteOne,
    'delete-selected': deleteSelected,
    'delete-all': form(
      PLATFORM_FAILED['delete-all'],
      deleteAllForm,
      async ({ status, ...input }) => {
        refuseOtherNumber(input, 'Nothing was deleted.')
        const { message } = await changeMany(ctx, { kind: 'delete', status, search: '' })
        return done('Videos deleted', message)
      },
    ),
    'regenerate-selected': form(
      PLATFORM_FAILED['regenerate-selected'],
      selectedVideosForm,
      async ({ ids }, data) => {
        const { message } = await regenerateSelected(ctx, ids, readFormKey(data))
        return done('Regeneration started', message)
      },
    ),
    'regenerate-all': form(PLATFORM_FAILED['regenerate-all'], typedNumber, async (input, data) => {
      refuseOtherNumber(input, 'Nothing was started.')
      const { message } = await regenerateAll(ctx, readFormKey(data))
      return done('Regeneration started', message)
    }),
    'cancel-regeneration': form(
      PLATFORM_FAILED['cancel-regeneration'],
      oneVideoForm,
      async ({ on }) => {
        await cancelRegeneration(ctx, on)
        return done('Regeneration stopped', 'What was sent already is finished.')
      },
    ),
    'stop-change': form(PLATFORM_FAILED['stop-change'], oneVideoForm, async ({ on }) => {
      await stopMassChange(ctx, on)
      return done('Stopped', 'What was already done remains; deleted videos are in the trash.')
    }),
  }
}
