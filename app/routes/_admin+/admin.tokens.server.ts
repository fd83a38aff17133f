import { z } from 'zod'
import { POOL_FAILED } from '~/lib/failure-titles'
import type { AdminCtx } from '~/domain/context'
import { checkAllKeys } from '~/domain/tokens/check-all-keys.server'
import { checkAllInput, editKeyInput, removeDeadInput } from '~/domain/tokens/desk-schemas'
import { editKey, findKeyFacts } from '~/domain/tokens/key-desk.server'
import { removeDeadKeys, removeKey, undoRemoval } from '~/domain/tokens/remove-keys.server'
import { replaceKey } from '~/domain/tokens/replace-key.server'
import { tryKeyNow } from '~/domain/videos/engine/try-now.server'
import { figure, plural } from '~/lib/figures'
import { keyFields } from '~/domain/administration/shown'
import { textOf } from '~/http/forms/form-data.server'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { poolForms } from '~/http/actions/pool-forms.server'

const oneKey = z.object({ id: z.string({ required_error: 'No token was named' }) })

const TO_UNDO = 'It can be undone below for a day.'

/**
 * Returns the form handlers of the token desk by intent: those of the pool, and those of single keys.
 * Each redirects to `back`.
 */
export function deskForms(ctx: AdminCtx, back: string): Record<string, FormHandler> {
  const done = (title: string, description?: string) =>
    redirectWithToast(back, { kind: 'success', title, description })
  return {
    ...poolForms(ctx, back),
    'edit-key': form(POOL_FAILED['edit-key'], editKeyInput, {
      shown: async (data) => {
        const facts = await findKeyFacts(ctx.db, textOf(data, 'id'))
        return facts ? { now: keyFields(facts) } : null
      },
      run: async (input) => {
        await editKey(ctx, input)
        return done('Token changed')
      },
    }),
    'check-all': form(POOL_FAILED['check-all'], checkAllInput, async ({ state }) => {
      const { works, failed, left } = await checkAllKeys(ctx, state)
      const rest = left === 0 ? '' : ` ${plural(left, 'token')} not reached: test again.`
      const said = `The provider knows ${figure(works)}, ${figure(failed)} failed. The list shows why.${rest}`
      return done('Tokens tested', said)
    }),
    'try-now': form(POOL_FAILED['try-now'], oneKey, async ({ id }) => {
      await tryKeyNow(ctx, id)
      return done('Pause ended', 'The next video is ordered with this token as a trial.')
    }),
    replace: form(POOL_FAILED.replace, oneKey, async ({ id }) => {
      const holders = await replaceKey(ctx, id)
      return done('Token replaced', `${plural(holders, 'user')} moved to the next of the pool.`)
    }),
    remove: form(POOL_FAILED.remove, oneKey, async ({ id }) => {
      await removeKey(ctx, id)
      return done('Token removed', TO_UNDO)
    }),
    'remove-dead': form(POOL_FAILED['remove-dead'], removeDeadInput, async (input) => {
      const count = await removeDeadKeys(ctx, input)
      return done('Tokens removed', `${plural(count, 'dead token')} removed. ${TO_UNDO}`)
    }),
    undo: form(POOL_FAILED.undo, oneKey, async ({ id }) => {
      const count = await undoRemoval(ctx, id)
      return done('Tokens are back', `${plural(count, 'token')} as before.`)
    }),
  }
}
