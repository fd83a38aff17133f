import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { readForm } from '~/http/forms/form-data.server'
import { THEMES } from '~/http/session/cookies.server'
import { webCookies } from '~/http/session/toast.server'
import { paths, safeRedirect } from '~/lib/paths'

export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request)
  const theme = THEMES.find((known) => known === form.get('theme'))
  const returnTo = form.get('returnTo')
  const to = safeRedirect(typeof returnTo === 'string' ? returnTo : null, paths.landing)
  const headers = new Headers()
  if (theme) headers.append('Set-Cookie', await webCookies().theme.serialize(theme))
  return redirect(to, { status: 303, headers })
}
