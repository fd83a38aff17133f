import type { ActionFunctionArgs } from '@remix-run/node'
import { z } from 'zod'
import { copyPrompt, skipPrompt } from '~/domain/prompts/daily.server'
import { readForm } from '~/http/forms/form-data.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { STAYS } from '~/lib/carried'
import { paths, safeRedirect } from '~/lib/paths'

const input = z.object({ promptId: z.string(), returnTo: z.string().default(paths.app) })

/**
 * Handles the two forms of the daily prompt. Without scripts a failure becomes a toast on the page
 * of the form, because there is no other page to show it on.
 */
export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  const data = await readForm(args.request.clone())
  const typed = data.get('returnTo')
  const returnTo = safeRedirect(typeof typed === 'string' ? typed : null, paths.app)
  const response = await handleForm(args, {
    use: form('Copy failed', input, async ({ promptId }) => {
      await copyPrompt(ctx, promptId)
      return { to: paths.writeDaily(promptId), toast: SHOWN.use }
    }),
    skip: form('Skip failed', input, async ({ promptId }) => {
      await skipPrompt(ctx, promptId)
      return { to: returnTo, toast: SHOWN.skip }
    }),
  })
  if (response.status === 303 || data.has(STAYS)) return response
  const { toast = SHOWN.skip } = await response.json()
  return redirectWithToast(returnTo, toast)
}

const SHOWN = {
  use: { kind: 'success', title: 'Prompt filled in' },
  skip: { kind: 'success', title: 'Prompt skipped', description: 'Showing you a new prompt' },
} as const
