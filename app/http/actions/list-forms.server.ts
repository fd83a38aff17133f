import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { MARKS } from '~/domain/batches/prompt-marks'
import { changePromptList, finishRows, firstPrompts } from '~/domain/batches/prompt-list.server'
import { BATCH_LIMITS, startedText } from '~/domain/batches/rules'
import { startBatchInput } from '~/domain/batches/schemas'
import { startBatch } from '~/domain/batches/start-batch.server'
import type { ListChoice } from '~/domain/batches/types'
import type { UserCtx } from '~/domain/context'
import { AppError } from '~/domain/errors'
import { getDrafts, saveDraft } from '~/domain/videos/requests/drafts.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { hasCells } from '~/domain/batches/prompt-file.server'
import { form, type FormHandler } from '../forms/forms.server'
import { readFormKey } from '../forms/idempotency.server'
import { redirectWithToast } from '../session/toast.server'

const number = z.coerce.number().int().min(0)

const startForm = z.object({
  /** How many of the rows are started, from the first one on. */
  first: number.min(1).max(BATCH_LIMITS.prompts),
  aspectRatio: z.string().optional(),
  negativePrompt: z.string().optional(),
})

type Handlers = Record<string, FormHandler>

/** Returns the form handlers of the page that shows a list of prompts, by intent. */
export const listForms = (ctx: UserCtx): Handlers => ({ ...changeForms(ctx), ...usingForms(ctx) })

function changeForms(ctx: UserCtx): Handlers {
  const change = <Schema extends z.ZodTypeAny>(
    schema: Schema,
    choiceOf: (input: z.output<Schema>) => ListChoice,
  ) =>
    form('List not changed', schema, async (input: z.output<Schema>) => {
      await changePromptList(ctx, choiceOf(input))
      return redirect(paths.list, 303)
    })
  return {
    'read-list': change(
      z.object({ column: number, encoding: z.string().optional() }),
      ({ column, encoding = null }) => ({ kind: 'read', column, encoding }),
    ),
    'leave-row': change(z.object({ row: number }), ({ row }) => ({ kind: 'row', row })),
    'leave-marked': change(z.object({ mark: z.enum(MARKS) }), ({ mark }) => ({
      kind: 'mark',
      mark,
    })),
    'bring-back': change(z.object({}), () => ({ kind: 'all' })),
    'discard-list': form('List not removed', z.object({}), async () => {
      await changePromptList(ctx, { kind: 'drop' })
      return redirectWithToast(paths.create('bulk'), { kind: 'success', title: 'List removed' })
    }),
  }
}

function usingForms(ctx: UserCtx): Handlers {
  return {
    'list-to-box': form('List not moved', z.object({}), async () => {
      const rows = await firstPrompts(ctx, Infinity)
      const { bulk } = await getDrafts(ctx)
      const lines = rows.map(({ prompt }) => prompt.replaceAll('\n', ' '))
      // Pasted cells are still in the box: the list replaces them.
      const before = hasCells(bulk.text) ? '' : bulk.text.trimEnd()
      const text = [before, ...lines].filter((line) => line !== '').join('\n')
      await saveDraft(ctx, 'bulk', { ...bulk, text })
      await changePromptList(ctx, { kind: 'drop' })
      const title = `${plural(lines.length, 'prompt')} added`
      return redirectWithToast(paths.create('bulk'), { kind: 'success', title })
    }),
    'start-list': form(
      'Bulk Generation Failed',
      startForm,
      async ({ first, ...settings }, data) => {
        const rows = await firstPrompts(ctx, first)
        const parsed = startBatchInput.safeParse({
          prompts: rows.map(({ prompt }) => prompt),
          ...settings,
          negativePrompt: settings.negativePrompt ?? null,
        })
        if (!parsed.success) {
          throw new AppError(
            'BAD_INPUT',
            parsed.error.issues[0]?.message ?? 'Please check the list',
          )
        }
        const receipt = await startBatch(ctx, parsed.data, readFormKey(data))
        await finishRows(
          ctx,
          rows.map(({ row }) => row),
        )
        const { bulk } = await getDrafts(ctx)
        if (hasCells(bulk.text)) await saveDraft(ctx, 'bulk', { ...bulk, text: '' })
        return redirectWithToast(paths.batch(receipt.batchId), {
          kind: 'success',
          title: 'Bulk Generation Started! 🚀',
          description: startedText(receipt),
        })
      },
    ),
  }
}
