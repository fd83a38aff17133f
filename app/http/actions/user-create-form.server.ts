import { createUser, quickCreateUser } from '~/domain/administration/users/create-user.server'
import { createUserForm, quickCreateForm } from '~/domain/administration/schemas'
import { paidOf } from '~/domain/payments/schemas'
import { form } from '~/http/forms/forms.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { handOn, prepared, toHandOn } from './user-hand-on.server'
import { done, shown, type Handlers, type Page } from './user-page.server'

/** Returns the form handlers that create accounts. */
export function makingForms(page: Page): Handlers {
  const { ctx } = page
  const create = form('Failed to create user', createUserForm, async (input) => {
    const { user, password } = await createUser(ctx, input)
    const credentials = { ...toHandOn(user), password, bearerToken: input.bearerToken }
    const headers = await handOn(ctx, { kind: 'created', ...credentials })
    return redirectWithToast(shown(page), done('User created'), headers)
  })
  const quick = form('Failed to create user', quickCreateForm, async (input) => {
    const user = await quickCreateUser(ctx, { ...input, seller: { ticks: input } }, paidOf(input))
    const credentials = { ...user, role: 'user', bearerToken: null }
    const headers = await handOn(ctx, { kind: 'quick', ...credentials })
    return redirectWithToast(shown(page), done('User created'), headers)
  })
  return { 'create-user': prepared(ctx, create), 'quick-create': quick }
}
