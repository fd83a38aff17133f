import { z } from 'zod'
import type { AdminCtx } from '~/domain/context'
import { AppError } from '~/domain/errors'
import { checkPoolToken } from '~/domain/tokens/check-pool-token.server'
import {
  addPoolToken,
  addPoolTokens,
  removeAllPoolTokens,
  removePoolToken,
} from '~/domain/tokens/pool.server'
import { additionsText, cleanedText, refusedLines } from '~/domain/tokens/rules'
import { addTokenInput, addTokensInput } from '~/domain/tokens/schemas'
import { plural } from '~/lib/figures'
import { form, type FormHandler } from '../forms/forms.server'
import { redirectWithToast } from '../session/toast.server'

const oneToken = z.object({ id: z.string({ required_error: 'No token was named' }) })

/**
 * Returns the form handlers of the pool by intent. Each redirects to `back`, the page that contains
 * the form.
 */
export function poolForms(ctx: AdminCtx, back: string): Record<string, FormHandler> {
  const done = (title: string, description?: string) =>
    redirectWithToast(back, { kind: 'success', title, description })
  return {
    'add-token': form('Failed to add token', addTokenInput, async ({ token, ...facts }) => {
      await addPoolToken(ctx, token, facts)
      return done('Token added')
    }),
    'add-tokens': form('Bulk import failed', addTokensInput, async ({ tokens, provider }) => {
      const { added, failed } = await addPoolTokens(ctx, tokens, provider)
      const said = [additionsText(added, failed.length), cleanedText(tokens)]
        .filter(Boolean)
        .join('. ')
      if (failed.length === 0) return done('Tokens added', said)
      const left = failed.map(({ text }) => text).join('\n')
      const reasons = refusedLines(failed.map(({ problem }) => problem))
      const head =
        added > 0
          ? ({ kind: 'success', title: 'Tokens added' } as const)
          : ({ kind: 'error', title: 'Bulk import failed' } as const)
      const failure = new AppError('CONFLICT', said, { fields: { tokens: reasons } })
      return { left: { tokens: left }, failure, head }
    }),
    remove: form('Failed to remove token', oneToken, async ({ id }) => {
      await removePoolToken(ctx, id)
      return done('Token removed')
    }),
    'remove-all': form('Failed to delete tokens', z.object({}), async () => {
      const count = await removeAllPoolTokens(ctx)
      return done('Tokens deleted', `${plural(count, 'token')} removed from the pool.`)
    }),
    check: form('Test failed', oneToken, async ({ id }) => {
      const { works, message } = await checkPoolToken(ctx, id)
      const kind = works ? 'success' : 'error'
      const title = works ? 'Token tested' : 'Test failed'
      return redirectWithToast(back, { kind, title, description: message })
    }),
  }
}
