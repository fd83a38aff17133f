import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { isForList } from '~/domain/lists/pasted-text'
import { replacedText, takePastedText, takePromptFile } from '~/domain/lists/prompt-list.server'
import type { UserCtx } from '~/domain/context'
import { readDraft } from '~/domain/videos/requests/drafts'
import { saveDraft } from '~/domain/videos/requests/drafts.server'
import { EXAMPLE_PROMPTS } from '~/lib/example-prompts'
import { paths } from '~/lib/paths'
import { fileOf } from '../forms/form-data.server'
import { form, type FormHandler } from '../forms/forms.server'
import { redirectWithToast } from '../session/toast.server'

/**
 * Returns the form handlers that fill the bulk box on the server, with an example, or that open what is in it
 * or in a file as a list.
 */
export function bulkBoxForms(ctx: UserCtx): Record<string, FormHandler> {
  const add = async (data: FormData, lines: readonly string[]) => {
    const draft = readDraft(data, 'promptLines')
    const text = [draft.text.trimEnd(), ...lines].filter((line) => line !== '').join('\n')
    await saveDraft(ctx, 'bulk', { ...draft, text })
  }
  const examples = EXAMPLE_PROMPTS.map((text, index): [string, FormHandler] => [
    `add-example-${index}`,
    form('Example not added', anything, async (_input, data) => {
      await add(data, [text])
      return redirect(paths.create('bulk'), 303)
    }),
  ])
  return {
    ...Object.fromEntries(examples),
    'open-list': opening(ctx, 'List not opened'),
    'add-file': form('File not read', anything, async (_input, data) => {
      const replaced = await takePromptFile(ctx, await fileOf(data, 'file'))
      // What was typed stays in the box.
      await add(data, [])
      return toList(replaced)
    }),
  }
}

/** Opens the text of the box as a list, row by row. */
const opening = (ctx: UserCtx, title: FormHandler['title']): FormHandler =>
  form(title, anything, async (_input, data) => {
    const draft = readDraft(data, 'promptLines')
    // The text stays in the box until the list is started.
    await saveDraft(ctx, 'bulk', draft)
    return toList(await takePastedText(ctx, draft.text))
  })

/** Leads to the list, and says which one is gone because of it. */
const toList = (replaced: string | null) =>
  replaced === null
    ? redirect(paths.list, 303)
    : redirectWithToast(paths.list, {
        kind: 'info',
        title: 'New list of prompts',
        description: replacedText(replaced),
      })

/**
 * Returns a handler that shows cells of a spreadsheet, messages of a chat and variants as a list first. They
 * are not started line by line.
 */
export const orTable = (ctx: UserCtx, handler: FormHandler): FormHandler => ({
  ...handler,
  run: async (data) => {
    const draft = readDraft(data, 'promptLines')
    return isForList(draft.text) ? opening(ctx, handler.title).run(data) : handler.run(data)
  },
})

/** These handlers store the box as it was typed, so they refuse no input. */
const anything = z.object({})
