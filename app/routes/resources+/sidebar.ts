import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { readForm } from '~/http/forms/form-data.server'
import { webCookies } from '~/http/session/toast.server'
import { paths, safeRedirect } from '~/lib/paths'

export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request)
  const state = form.get('state') === 'collapsed' ? 'collapsed' : 'expanded'
  const returnTo = form.get('returnTo')
  const to = safeRedirect(typeof returnTo === 'string' ? returnTo : null, paths.app)
  const headers = new Headers({ 'Set-Cookie': await webCookies().sidebar.serialize(state) })
  return redirect(to, { status: 303, headers })
}
