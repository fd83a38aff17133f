import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { dismissAnnouncement } from '~/domain/business/settings.server'
import { readForm } from '~/http/forms/form-data.server'
import { requireUser } from '~/http/session/guards.server'
import { isId } from '~/lib/ids'
import { paths, safeRedirect } from '~/lib/paths'

/** Closes an announcement for the user, and returns to the page that showed it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const form = await readForm(request)
  const [id, returnTo] = [form.get('announcementId'), form.get('returnTo')]
  if (typeof id === 'string' && isId(id)) await dismissAnnouncement(ctx, id)
  return redirect(safeRedirect(typeof returnTo === 'string' ? returnTo : null, paths.app), 303)
}
