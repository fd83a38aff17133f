import { redirect, type ActionFunctionArgs } from '@remix-run/node'
import { endVisit } from '~/http/actions/sign-in.server'
import { paths } from '~/lib/paths'

export async function action({ context }: ActionFunctionArgs) {
  return redirect(paths.login, { status: 303, headers: await endVisit(context) })
}
