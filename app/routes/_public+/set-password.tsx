import type {
  ActionFunctionArgs,
  HeadersArgs,
  LoaderFunctionArgs,
  MetaFunction,
} from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { input } from 'zod'
import { SignInLayout } from '~/components/public/sign-in-layout'
import { ActionForm } from '~/components/ui/action-form'
import { Button, ButtonLink } from '~/components/ui/button'
import { Field } from '~/components/ui/field'
import { useActionForm } from '~/components/ui/use-action-form'
import {
  findByPasswordLink,
  LINK_IS_OVER,
  setPasswordByLink,
} from '~/domain/accounts/password-link.server'
import { homePath } from '~/domain/accounts/rules'
import { hasSecondFactor } from '~/domain/accounts/second-factor.server'
import { setPasswordForm } from '~/domain/accounts/schemas'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireGuest } from '~/http/session/guards.server'
import { sessionHeaders } from '~/http/actions/sign-in.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Set your password')

const NO_STORE = { 'Cache-Control': 'no-store' }

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = requireGuest({ request, context })
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const found = await findByPasswordLink(ctx, token)
  if (!found) return json({ token, username: null, problem: LINK_IS_OVER }, { headers: NO_STORE })
  return json({ token, username: found.username, problem: null }, { headers: NO_STORE })
}

/** Applies the loader’s `no-store` to the page too, which contains the link’s secret. */
export function headers({ loaderHeaders }: HeadersArgs): Headers {
  return loaderHeaders
}

export async function action(args: ActionFunctionArgs) {
  const ctx = requireGuest(args)
  return handleForm(args, {
    'set-password': form('Failed to set the password', setPasswordForm, async (input) => {
      const { token: secret, newPassword: password } = input
      const account = await setPasswordByLink(ctx, { secret, password })
      // A link replaces the password, not the second step of signing in.
      if (await hasSecondFactor(ctx.db, account.id)) {
        const text = 'Sign in with your new password.'
        const done = { kind: 'success', title: 'Password set', description: text } as const
        return redirectWithToast(paths.login, done)
      }
      const headers = await sessionHeaders(ctx, account, args.request)
      const description = `Welcome, ${account.username}!`
      const toast = { kind: 'success', title: 'Password set', description } as const
      return redirectWithToast(homePath(account.role), toast, headers)
    }),
  })
}

/** Password managers read the username. The form does not change it. */
type SetPasswordFields = { username: string } & input<typeof setPasswordForm>

export default function SetPasswordPage() {
  const { token, username, problem } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const [form, fields] = useActionForm<SetPasswordFields>('set-password')
  return (
    <SignInLayout title="Set your password" failure={failure}>
      {username === null ? (
        <div className="space-y-4">
          <p>{problem}</p>
          <ButtonLink to={paths.login} look="plain">
            Sign in
          </ButtonLink>
        </div>
      ) : (
        <ActionForm {...form} intent="set-password" className="space-y-4" data-pending="Saving…">
          <Field
            field={fields.username}
            label="Username"
            autoComplete="username"
            defaultValue={username}
            readOnly
          />
          <Field
            field={fields.newPassword}
            label="New password"
            type="password"
            hint="At least 6 characters"
            autoComplete="new-password"
            required
          />
          <Button className="w-full">Save and sign in</Button>
          <input type="hidden" name="token" value={token} />
        </ActionForm>
      )}
    </SignInLayout>
  )
}
