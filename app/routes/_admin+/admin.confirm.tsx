import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json, redirect } from '@remix-run/node'
import {
  Form,
  Link,
  useActionData,
  useLoaderData,
  useNavigation,
  type ClientActionFunctionArgs,
} from '@remix-run/react'
import type { input } from 'zod'
import { FormToken, HiddenFields } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { Button, buttonClass } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { CodeFields } from '~/components/ui/code-fields'
import { OwnPasswordField } from '~/components/ui/own-password-field'
import { clientAction as sendForm } from '~/components/ui/page-forms'
import { useActionForm } from '~/components/ui/use-action-form'
import { giveProof } from '~/domain/accounts/proof.server'
import { confirmForm } from '~/domain/accounts/schemas'
import { hasSecondFactor } from '~/domain/accounts/second-factor.server'
import { HTTP_STATUS } from '~/domain/errors'
import { sessionCookie } from '~/http/actions/sign-in.server'
import { sendOn } from '~/http/forms/confirm-first.server'
import { runHandler, form } from '~/http/forms/forms.server'
import { readForm } from '~/http/forms/form-data.server'
import { requireHelper } from '~/http/session/guards.server'
import { NOT_CONFIRMED, readCarried } from '~/lib/carried'
import { paths, safeRedirect } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Confirm it’s you')

/** Returns the URL that the waiting form was sent to, which is also the page that contains it. */
const wantedBy = ({ url }: Request) =>
  safeRedirect(new URL(url).searchParams.get('to'), paths.admin.users)

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireHelper({ request, context })
  const asksForCode = await hasSecondFactor(ctx.db, ctx.actor.id)
  return json({ asksForCode, wanted: wantedBy(request) })
}

/**
 * First receives the waiting form with its fields unchanged, then the same fields together with the
 * proof, and sends the form on. Cancel sends it back to its page, which shows it again. If the page
 * was opened directly there is no form, and a successful proof redirects to the wanted page.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, token } = requireHelper({ request, context })
  const data = await readForm(request)
  const carried = readCarried(data)
  const isWaiting = Object.keys(carried).length > 0
  const wanted = wantedBy(request)
  if (isWaiting && data.has(NOT_CONFIRMED)) return sendOn(wanted)
  if (!data.has('ownPassword')) {
    const { PASSWORD_NEEDED: status } = HTTP_STATUS
    return json({ carried, failure: null }, { status })
  }
  const handler = form('Not confirmed', confirmForm, async (proof) => {
    const headers = await sessionCookie(await giveProof(ctx, proof, token))
    return isWaiting ? sendOn(wanted, headers) : redirect(wanted, { status: 303, headers })
  })
  const response = await runHandler({ request, context }, data, { ...handler, intent: 'confirm' })
  if (response.status < 400) throw response
  const { status, headers } = response
  const { toast, result } = await response.json()
  return json({ carried, failure: { toast, result } }, { status, headers })
}

/** Submits the proof with scripts. If no response comes, keeps the waiting form. */
export async function clientAction(args: ClientActionFunctionArgs) {
  const carried = readCarried(await args.request.clone().formData())
  const response = await sendForm(args)
  if ('carried' in response) return response
  return {
    carried,
    failure: { toast: response.toast, result: response.result },
    isUnanswered: true,
  }
}

export { shouldRevalidate } from '~/components/ui/page-forms'

export default function ConfirmPage() {
  const { asksForCode, wanted } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  const isSending = useNavigation().state !== 'idle'
  const carried = response?.carried ?? {}
  const failure = response?.failure
  const [form, fields] = useActionForm<input<typeof confirmForm>>('confirm', {
    lastResult: failure?.result,
  })
  const isWaiting = Object.keys(carried).length > 0
  return (
    <div className="mx-auto max-w-md space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Confirm it’s you</h1>
      <Card>
        <Form {...form} method="post" action={paths.admin.confirm(wanted)} className="space-y-4">
          <p className="text-sm text-soft">
            {isWaiting
              ? 'You entered your password some time ago. Enter it again to continue; nothing you typed is lost.'
              : 'Give your password now, and you are not asked for it in the next 15 minutes.'}
          </p>
          <OwnPasswordField field={fields.ownPassword} />
          {asksForCode && <CodeFields fields={fields} />}
          <div className="flex flex-wrap gap-2">
            <Button disabled={isSending}>Confirm</Button>
            {isWaiting ? (
              <Button
                look="plain"
                name={NOT_CONFIRMED}
                value="yes"
                formNoValidate
                disabled={isSending}
              >
                Cancel
              </Button>
            ) : (
              <Link to={wanted} className={buttonClass('plain')}>
                Cancel
              </Link>
            )}
          </div>
          <HiddenFields fields={carried} />
          <FormToken />
        </Form>
      </Card>
    </div>
  )
}
