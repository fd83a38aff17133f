import { z } from 'zod'
import { PROMPTS_FAILED } from '~/lib/failure-titles'
import type { AdminCtx } from '~/domain/context'
import {
  createPrompt,
  deletePrompt,
  deletePrompts,
  getPrompt,
  importPrompts,
  setDailyPrompt,
  unpinDailyPrompt,
  updatePrompt,
} from '~/domain/prompts/library.server'
import { deletedMessage, importedMessage } from '~/domain/prompts/rules'
import {
  bulkPromptsInput,
  libraryPrompt,
  promptIdsInput,
  promptInput,
} from '~/domain/prompts/schemas'
import { paths } from '~/lib/paths'
import { textOf } from '~/http/forms/form-data.server'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { redirectWithToast } from '~/http/session/toast.server'

const shownPrompt = async (ctx: AdminCtx, id: string) => ({ text: (await getPrompt(ctx, id)).text })

const promptId = z.object({ promptId: z.string() })
const change = promptId.extend({ text: libraryPrompt })

/**
 * Returns the form handlers of the prompt library by intent. Each redirects to the library with a
 * toast.
 */
export function promptForms(ctx: AdminCtx): Record<string, FormHandler> {
  return {
    create: form(PROMPTS_FAILED.create, promptInput, async (input) => {
      await createPrompt(ctx, input)
      return done('Prompt created')
    }),
    import: form(PROMPTS_FAILED.import, bulkPromptsInput, async (input) =>
      done('Prompts imported', importedMessage(await importPrompts(ctx, input))),
    ),
    update: form(PROMPTS_FAILED.update, change, {
      shown: async (data) => ({ now: await shownPrompt(ctx, textOf(data, 'promptId')) }),
      run: async (input) => {
        await updatePrompt(ctx, { id: input.promptId, text: input.text })
        return done('Prompt updated')
      },
    }),
    delete: form(PROMPTS_FAILED.delete, promptId, async (input) => {
      await deletePrompt(ctx, input.promptId)
      return done('Prompt deleted')
    }),
    'delete-selected': form(PROMPTS_FAILED['delete-selected'], promptIdsInput, async (input) =>
      done('Prompts deleted', deletedMessage(await deletePrompts(ctx, input.promptIds))),
    ),
    'set-daily': form(PROMPTS_FAILED['set-daily'], promptId, async (input) => {
      await setDailyPrompt(ctx, input.promptId)
      return done('Daily prompt updated')
    }),
    unpin: form(PROMPTS_FAILED.unpin, z.object({}), async () => {
      await unpinDailyPrompt(ctx)
      return done('Daily prompt updated', 'It changes at the next reset again')
    }),
  }
}

function done(title: string, description?: string) {
  return redirectWithToast(paths.admin.prompts, { kind: 'success', title, description })
}
