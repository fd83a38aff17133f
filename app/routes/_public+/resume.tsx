import type { ActionFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useSearchParams } from '@remix-run/react'
import {
  SignInFields,
  START_AGAIN,
  type SignInFieldNames,
} from '~/components/public/sign-in-fields'
import { SignInLayout } from '~/components/public/sign-in-layout'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { useActionForm } from '~/components/ui/use-action-form'
import { homePath } from '~/domain/accounts/rules'
import { readForm } from '~/http/forms/form-data.server'
import { requireGuest } from '~/http/session/guards.server'
import { carryOn, readTyped } from '~/http/endpoints/resume.server'
import { handleSignIn } from '~/http/actions/sign-in.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths, safeRedirect } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Sign in to go on')

/** The button that leads from the code back to the password. */
const AGAIN = 'again'

/**
 * Receives a form of a signed-in page that was sent after the session had ended. The typed text is
 * carried through sign-in, and the form shows it again afterwards.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = requireGuest({ request, context })
  const data = await readForm(request.clone())
  const typed = readTyped(data)
  const isSignIn = data.get('intent') === 'resume' && !data.has(AGAIN)
  if (!isSignIn) return json({ typed, failure: null }, 401)
  const response = await handleSignIn(ctx, request, async ({ account, headers, ended }) => {
    const asked = new URL(request.url).searchParams.get('redirectTo')
    const wanted = safeRedirect(asked, homePath(account.role))
    const address = await carryOn(ctx, account, { typed, wanted })
    const kept = hasText(typed) ? ' What you typed is still there.' : ''
    const toast = {
      kind: 'success',
      title: 'Login successful',
      description: [`Welcome back, ${account.username}!${kept}`, ended].filter(Boolean).join(' '),
    } as const
    return redirectWithToast(address, toast, headers)
  })
  if (response.status < 400) throw response
  const { status, headers } = response
  return json({ typed, failure: await response.json() }, { status, headers })
}

const hasText = (typed: Record<string, string>) => Object.keys(typed).length > 0

export default function ResumePage() {
  const response = useActionData<typeof action>()
  const [search] = useSearchParams()
  const failure = response?.failure
  const [form, fields] = useActionForm<SignInFieldNames>('resume', {
    lastResult: failure?.result,
  })
  return (
    <SignInLayout title="Your session has ended" failure={failure}>
      <p className="text-sm text-soft">
        {hasText(response?.typed ?? {})
          ? 'Nothing was started. Sign in again, and what you typed is in its box.'
          : 'Nothing was changed. Sign in again to continue.'}
      </p>
      <ActionForm
        {...form}
        intent="resume"
        action={`${paths.resume}?${search}`}
        className="space-y-4"
      >
        <SignInFields
          fields={fields}
          step={failure?.step}
          // The form carries what was typed.
          startAgain={<button name={AGAIN} value="1" {...START_AGAIN} />}
        />
        <HiddenFields fields={response?.typed ?? {}} />
      </ActionForm>
    </SignInLayout>
  )
}
