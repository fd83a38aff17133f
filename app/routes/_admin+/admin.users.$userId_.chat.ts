import type { ActionFunctionArgs } from '@remix-run/node'
import { startChat } from '~/domain/administration/customers/customer-card.server'
import { chatInput } from '~/domain/administration/schemas'
import type { ChatOccasion } from '~/domain/business/types'
import { isAppError } from '~/domain/errors'
import { readCheckedForm } from '~/http/forms/form-token.server'
import { leadTo } from '~/http/responses/lead-to.server'
import { addressOf } from '~/http/session/credentials-once.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'

/** The page that the text names: where to pay, or where to go on. */
function pageFor(occasion: ChatOccasion): string {
  if (occasion === 'unused') return paths.app
  return occasion === 'renewed' ? paths.login : paths.pricing
}

/** Notes that a customer is written to, and opens their chat. */
export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireAdmin(args)
  const { data, isOutOfDate } = await readCheckedForm(args)
  const id = args.params.userId ?? ''
  const parsed = chatInput.safeParse(Object.fromEntries(data))
  const refused = (description: string) =>
    redirectWithToast(paths.admin.user(id), { kind: 'error', title: 'No chat', description })
  if (isOutOfDate || !parsed.success) return refused('This page is out of date. Try again.')
  const { occasion } = parsed.data
  try {
    return leadTo(await startChat(ctx, { id, occasion, link: addressOf(pageFor(occasion)) }))
  } catch (error) {
    if (isAppError(error)) return refused(error.message)
    throw error
  }
}
