import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { startChat } from '~/domain/administration/customers/customer-card.server'
import { chatInput } from '~/domain/administration/schemas'
import { makeUserPasswordLink } from '~/domain/administration/users/password-links.server'
import type { ChatOccasion } from '~/domain/business/types'
import type { AdminCtx } from '~/domain/context'
import { isAppError } from '~/domain/errors'
import { readCheckedForm } from '~/http/forms/form-token.server'
import { addressOf } from '~/http/session/credentials-once.server'
import { requireAdmin } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths, safeRedirect } from '~/lib/paths'

/** The page that the text names: where to pay, or where to go on. */
function pageFor(occasion: ChatOccasion): string {
  if (occasion === 'unused') return paths.app
  return occasion === 'renewed' ? paths.login : paths.pricing
}

type Wanted = { id: string; occasion: ChatOccasion; given: string | null }

/**
 * Returns the address that the text names. A new customer sets a password with it: with the link that
 * the page has, because a new one would end that, or else with a new one.
 */
async function linkFor(ctx: AdminCtx, { id, occasion, given }: Wanted): Promise<string> {
  if (occasion !== 'account') return addressOf(pageFor(occasion))
  if (given?.startsWith(addressOf(paths.setPassword('')))) return given
  const { secret } = await makeUserPasswordLink(ctx, id)
  return addressOf(paths.setPassword(secret))
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
  const { occasion, link: given, back } = parsed.data
  const language = new URL(args.request.url).searchParams.get('language')
  try {
    const link = await linkFor(ctx, { id, occasion, given })
    return leadTo(await startChat(ctx, { id, occasion, link, language }))
  } catch (error) {
    if (!isAppError(error)) throw error
    // The form cannot be held meanwhile: its answer is no page of ours.
    if (error.code === 'PASSWORD_NEEDED')
      return redirect(paths.admin.confirm(safeRedirect(back, paths.admin.user(id))), 303)
    return refused(error.message)
  }
}

/**
 * Returns a page that leads to an address of another host. A redirect would not: browsers allow a form
 * that is sent to us to lead only to us (`form-action`).
 */
function leadTo(address: string): Response {
  const { href } = new URL(address)
  const safe = href.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Opening the chat</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="refresh" content="0;url=${safe}"></head>
<body><h1>Opening the chat</h1><p><a href="${safe}">Open the chat</a></p></body></html>`
  return new Response(page, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })
}
