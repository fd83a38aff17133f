import {
  promptsAdded,
  putPromptsBack,
  usePromptsAgain,
} from '~/domain/batches/prompts-again.server'
import { renameBatch } from '~/domain/batches/rename-batch.server'
import { retryBatch } from '~/domain/batches/retry-failed.server'
import { oneBatchForm, renameBatchForm } from '~/domain/batches/schemas'
import type { UserCtx } from '~/domain/context'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '../forms/forms.server'
import { readFormKey } from '../forms/idempotency.server'
import { redirectWithToast } from '../session/toast.server'
import { pageOf } from './gallery-forms.server'

/** Returns the form handlers of the list of batches and of a batch's page, by intent. */
export function batchForms(ctx: UserCtx, request: Request): Record<string, FormHandler> {
  const back = pageOf(request)
  const toBox = (count: number) =>
    redirectWithToast(paths.create('bulk'), { kind: 'success', title: promptsAdded(count) })
  return {
    'rename-batch': form('Batch not renamed', renameBatchForm, async ({ on, name }) => {
      const batch = await renameBatch(ctx, { id: on, name })
      return {
        to: back,
        toast: { kind: 'success', title: 'Batch renamed', description: batch.name },
      }
    }),
    'retry-batch': form('Retry failed', oneBatchForm, async ({ on }, data) => {
      const { count, message } = await retryBatch(ctx, on, readFormKey(data))
      if (count === 0) return { to: back, toast: { kind: 'info', title: message } }
      return { to: back, toast: { kind: 'success', title: 'Retry started', description: message } }
    }),
    'put-back': form('Prompts not put back', oneBatchForm, async ({ on }) =>
      toBox(await putPromptsBack(ctx, on)),
    ),
    'use-again': form('Prompts not added', oneBatchForm, async ({ on }) =>
      toBox(await usePromptsAgain(ctx, on)),
    ),
  }
}
