import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useSearchParams } from '@remix-run/react'
import {
  SignInFields,
  START_AGAIN,
  type SignInFieldNames,
} from '~/components/public/sign-in-fields'
import { SignInLayout } from '~/components/public/sign-in-layout'
import { ActionForm } from '~/components/ui/action-form'
import { useActionForm } from '~/components/ui/use-action-form'
import { textLinkClass } from '~/components/ui/text-link'
import { homePath } from '~/domain/accounts/rules'
import { handleSignIn } from '~/http/actions/sign-in.server'
import { requireGuest } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths, safeRedirect } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

/** Delay between the response and the redirect (specification §9). */
const LEAVE_AFTER_MS = 200

export const meta: MetaFunction = () =>
  pageMeta('Sign in', 'Sign in to make videos from your prompts.')

export async function loader({ request, context }: LoaderFunctionArgs) {
  requireGuest({ request, context })
  return json(null)
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = requireGuest({ request, context })
  return handleSignIn(ctx, request, ({ account, headers, ended }) => {
    const wanted = new URL(request.url).searchParams.get('redirectTo')
    const toast = {
      kind: 'success',
      title: 'Login successful',
      description: [`Welcome back, ${account.username}!`, ended].filter(Boolean).join(' '),
    } as const
    return redirectWithToast(safeRedirect(wanted, homePath(account.role)), toast, headers)
  })
}

export default function LoginPage() {
  const failure = useActionData<typeof action>()
  const [search] = useSearchParams()
  const [form, fields] = useActionForm<SignInFieldNames>('sign-in', {
    lastResult: failure?.result,
  })
  const isCodeAsked = failure?.step != null
  return (
    <SignInLayout title={isCodeAsked ? 'Enter your code' : 'Sign in'} failure={failure}>
      <ActionForm
        {...form}
        intent="sign-in"
        action={`${paths.login}?${search}`}
        className="space-y-4"
        data-pending="Signing in..."
        data-call={isCodeAsked ? paths.api.loginCode : paths.api.login}
        data-done="Login successful"
        data-welcome="Welcome back, {name}!"
        data-fails="Login failed"
        data-leave-after-ms={LEAVE_AFTER_MS}
        data-leads={safeRedirect(search.get('redirectTo'), '')}
      >
        <SignInFields
          fields={fields}
          step={failure?.step}
          startAgain={<Link to={`${paths.login}?${search}`} {...START_AGAIN} />}
        />
      </ActionForm>
      {!isCodeAsked && <ForgottenPassword />}
      {!isCodeAsked && (
        <p className="text-sm text-soft">
          No account yet?{' '}
          <Link to={paths.register} className="font-medium text-ink underline underline-offset-4">
            Create one
          </Link>
        </p>
      )}
    </SignInLayout>
  )
}

/** Accounts may have no e-mail address, so the operator gives a new password. */
const ForgottenPassword = () => (
  <details className="text-sm text-soft">
    <summary className={`${textLinkClass} cursor-pointer`}>Forgot the password?</summary>
    <p className="pb-2">
      Ask us for a new one, with your phone number: the chat and the e-mail address are below. If
      you are refused after too many tries, we unlock your account as well.
    </p>
  </details>
)
