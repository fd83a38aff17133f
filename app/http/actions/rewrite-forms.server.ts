import { redirect } from '@remix-run/node'
import { z } from 'zod'
import type { UserCtx } from '~/domain/context'
import { isForList } from '~/domain/lists/pasted-text'
import { takePastedText } from '~/domain/lists/prompt-list.server'
import {
  dropRewrite,
  rewriteBox,
  rewriteList,
  useRewrite,
  type RewriteSource,
} from '~/domain/lists/rewrite.server'
import { REWRITES } from '~/domain/lists/rewrites'
import { readDraft } from '~/domain/videos/requests/drafts'
import { saveDraft } from '~/domain/videos/requests/drafts.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import type { Rewrite } from '~/platform/texts/port'
import { form, type FormHandler } from '../forms/forms.server'

const anything = z.object({})

type Ask = (act: Rewrite, data: FormData) => Promise<void>

/** Nothing without a text service. `ask` has prompts rewritten; what becomes of them is looked at first. */
function askingForms(ctx: UserCtx, ask: Ask): Record<string, FormHandler> {
  if (ctx.texts === null) return {}
  const asking = (act: Rewrite) =>
    form(act === 'translate' ? 'Not translated' : 'Not improved', anything, async (_, data) => {
      await ask(act, data)
      return redirect(paths.rewrite, 303)
    })
  return Object.fromEntries(REWRITES.map((act) => [act, asking(act)]))
}

/** Returns the form handlers that have the prompts of the create screen rewritten, by intent. */
export const rewriteBoxForms = (ctx: UserCtx) =>
  askingForms(ctx, async (act, data) => {
    const of = data.has('promptLines') ? 'bulk' : 'single'
    const draft = readDraft(data, of === 'bulk' ? 'promptLines' : 'prompt')
    // What was typed stays, whatever becomes of it.
    await saveDraft(ctx, of, draft)
    if (of === 'single' || !isForList(draft.text))
      return rewriteBox(ctx, act, { of, text: draft.text })
    await takePastedText(ctx, draft.text)
    await rewriteList(ctx, act)
  })

/** The same for the list. */
export const rewriteListForms = (ctx: UserCtx) => askingForms(ctx, (act) => rewriteList(ctx, act))

/**
 * Returns a handler that leaves the form to the button that was pressed: a browser that does not know
 * which button sends a form appends it, behind the intent that the form has without one.
 */
export const orPressed = (
  handler: FormHandler,
  others: Record<string, FormHandler>,
): FormHandler => ({
  ...handler,
  run: (data) => {
    const intents = data.getAll('intent')
    const [, pressed = handler] =
      Object.entries(others).find(([name]) => intents.includes(name)) ?? []
    return pressed.run(data)
  },
})

/** Where the prompts of a preview are. */
const BACK: Record<RewriteSource, string> = {
  single: paths.create('text'),
  bulk: paths.create('bulk'),
  list: paths.list,
}

/** Returns the form handlers of the preview. */
export const previewForms = (ctx: UserCtx): Record<string, FormHandler> => ({
  'use-rewrite': form(
    'Nothing was changed',
    z.object({ version: z.string() }),
    async (input, data) => {
      const taken = data.getAll('taken').map(Number)
      const { of, used, missing } = await useRewrite(ctx, { ...input, taken })
      const title = `${plural(used, 'prompt')} replaced`
      const description = `${plural(missing, 'prompt')} ${missing === 1 ? 'was' : 'were'} not there any more.`
      return {
        to: BACK[of],
        toast: { kind: 'success', title, ...(missing > 0 && { description }) },
      }
    },
  ),
  'drop-rewrite': form('Nothing was changed', anything, async () => {
    const to = BACK[await dropRewrite(ctx)]
    return { to, toast: { kind: 'info', title: 'Your prompts are as they were' } }
  }),
})
