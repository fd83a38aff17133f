import { z } from 'zod'
import type { AdminCtx } from '~/domain/context'
import { checkAllTokens } from '~/domain/tokens/check-all-tokens.server'
import { checkAllInput, editTokenInput, removeDeadInput } from '~/domain/tokens/desk-schemas'
import { editToken, findTokenFacts } from '~/domain/tokens/token-desk.server'
import { removeDeadTokens, removeToken, undoRemoval } from '~/domain/tokens/remove-tokens.server'
import { replaceToken } from '~/domain/tokens/replace-token.server'
import { tryTokenNow } from '~/domain/videos/engine/try-now.server'
import { figure, plural } from '~/lib/figures'
import { tokenFields } from '~/domain/administration/shown'
import { textOf } from '~/http/forms/form-data.server'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { poolForms } from '~/http/actions/pool-forms.server'

const oneToken = z.object({ id: z.string({ required_error: 'No token was named' }) })

const TO_UNDO = 'It can be undone below for a day.'

/**
 * Returns the form handlers of the token desk by intent: those of the pool, and those of single tokens.
 * Each redirects to `back`.
 */
export function deskForms(ctx: AdminCtx, back: string): Record<string, FormHandler> {
  const done = (title: string, description?: string) =>
    redirectWithToast(back, { kind: 'success', title, description })
  return {
    ...poolForms(ctx, back),
    'edit-token': form('Failed to change the token', editTokenInput, {
      shown: async (data) => {
        const facts = await findTokenFacts(ctx.db, textOf(data, 'id'))
        return facts ? { now: tokenFields(facts) } : null
      },
      run: async (input) => {
        await editToken(ctx, input)
        return done('Token changed')
      },
    }),
    'check-all': form('Test failed', checkAllInput, async ({ state }) => {
      const { works, failed, left } = await checkAllTokens(ctx, state)
      const rest = left === 0 ? '' : ` ${plural(left, 'token')} not reached: test again.`
      const said = `The provider knows ${figure(works)}, ${figure(failed)} failed. The list shows why.${rest}`
      return done('Tokens tested', said)
    }),
    'try-now': form('Nothing was changed', oneToken, async ({ id }) => {
      await tryTokenNow(ctx, id)
      return done('Pause ended', 'The next video is ordered with this token as a trial.')
    }),
    replace: form('Failed to replace the token', oneToken, async ({ id }) => {
      const holders = await replaceToken(ctx, id)
      return done('Token replaced', `${plural(holders, 'user')} moved to the next of the pool.`)
    }),
    remove: form('Failed to remove token', oneToken, async ({ id }) => {
      await removeToken(ctx, id)
      return done('Token removed', TO_UNDO)
    }),
    'remove-dead': form('Failed to remove tokens', removeDeadInput, async (input) => {
      const count = await removeDeadTokens(ctx, input)
      return done('Tokens removed', `${plural(count, 'dead token')} removed. ${TO_UNDO}`)
    }),
    undo: form('Failed to bring the tokens back', oneToken, async ({ id }) => {
      const count = await undoRemoval(ctx, id)
      return done('Tokens are back', `${plural(count, 'token')} as before.`)
    }),
  }
}
