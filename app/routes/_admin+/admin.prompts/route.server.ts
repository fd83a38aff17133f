import { z } from 'zod'
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
    create: form('Failed to create prompt', promptInput, async (input) => {
      await createPrompt(ctx, input)
      return done('Prompt created')
    }),
    import: form('Failed to import prompts', bulkPromptsInput, async (input) =>
      done('Prompts imported', importedMessage(await importPrompts(ctx, input))),
    ),
    update: form('Failed to update prompt', change, {
      shown: async (data) => ({ now: await shownPrompt(ctx, textOf(data, 'promptId')) }),
      run: async (input) => {
        await updatePrompt(ctx, { id: input.promptId, text: input.text })
        return done('Prompt updated')
      },
    }),
    delete: form('Failed to delete prompt', promptId, async (input) => {
      await deletePrompt(ctx, input.promptId)
      return done('Prompt deleted')
    }),
    'delete-selected': form('Failed to delete prompts', promptIdsInput, async (input) =>
      done('Prompts deleted', deletedMessage(await deletePrompts(ctx, input.promptIds))),
    ),
    'set-daily': form('Failed to set daily prompt', promptId, async (input) => {
      await setDailyPrompt(ctx, input.promptId)
      return done('Daily prompt updated')
    }),
    unpin: form('Failed to set daily prompt', z.object({}), async () => {
      await unpinDailyPrompt(ctx)
      return done('Daily prompt updated', 'It changes at the next reset again')
    }),
  }
}

function done(title: string, description?: string) {
  return redirectWithToast(paths.admin.prompts, { kind: 'success', title, description })
}
