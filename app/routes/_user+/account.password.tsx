import { getInputProps } from '@conform-to/react'
import type { ActionFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData } from '@remix-run/react'
import type { input } from 'zod'
import { PasswordFields, SessionsLink } from '~/components/layout/change-password'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/toasts'
import { Card } from '~/components/ui/card'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { changePassword } from '~/domain/accounts/change-password.server'
import { passwordChangeTitle } from '~/domain/accounts/rules'
import { changePasswordForm } from '~/domain/accounts/schemas'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { browserOf, sessionCookie } from '~/http/actions/sign-in.server'
import { paths, safeRedirect } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Change Password')

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, {
    'change-password': form(
      ({ message }) => passwordChangeTitle(message),
      changePasswordForm,
      async ({ returnTo, ...input }) => {
        const token = await changePassword(ctx, { ...input, ...(await browserOf(args.request)) })
        return {
          to: safeRedirect(returnTo, paths.dashboard),
          toast: CHANGED,
          headers: await sessionCookie(token),
        }
      },
    ),
  })
}

export { clientAction } from '~/components/ui/page-forms'

const CHANGED = {
  kind: 'success',
  title: 'Password changed',
  description: 'Your password has been updated successfully',
} as const

export default function ChangePasswordPage() {
  const failure = useActionData<typeof action>()
  const [form, fields] = useActionForm<input<typeof changePasswordForm>>('change-password')
  return (
    <div className="mx-auto max-w-sm space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Change Password</h1>
      <Card>
        <ActionForm
          {...form}
          intent="change-password"
          failed="Failed to change password"
          noValidate
          className="space-y-4"
        >
          <PasswordFields fields={fields} />
          <SubmitButton intent="change-password" pending="Changing…" className="w-full">
            Change Password
          </SubmitButton>
          <input {...getInputProps(fields.returnTo, { type: 'hidden' })} />
        </ActionForm>
      </Card>
      <SessionsLink />
    </div>
  )
}
