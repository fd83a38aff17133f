import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { NewAccountFields } from '~/components/public/new-account-fields'
import { SignInLayout } from '~/components/public/sign-in-layout'
import { ActionForm } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { useActionForm } from '~/components/ui/use-action-form'
import { register } from '~/domain/accounts/register.server'
import { inviterOf } from '~/domain/accounts/referrals.server'
import { registerInput, type RegisterInput } from '~/domain/accounts/schemas'
import { homePath, trialInVideos, trialText } from '~/domain/accounts/rules'
import { readSetting } from '~/domain/business/settings.server'
import { rewardText } from '~/domain/business/types'
import type { TrialSettings, UserRole } from '~/domain/context'
import { form, handleForm } from '~/http/forms/forms.server'
import { readPlans } from '~/http/loaders/contacts.server'
import { requireGuest } from '~/http/session/guards.server'
import { sessionHeaders } from '~/http/actions/sign-in.server'
import { redirectWithToast, webCookies } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () =>
  pageMeta('Create account', 'Open an account with your phone number.')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = requireGuest({ request, context }, registeredHome)
  const trial = await trialNow(ctx.settings)
  const opened = new URL(request.url).searchParams.get('invite')
  const invitedBy = opened ?? ctx.actor.invitedBy ?? null
  const inviterId = await inviterOf({ ...ctx, actor: { ...ctx.actor, invitedBy } })
  const terms = inviterId === null ? null : await readSetting(ctx.db, 'referral')
  const headers: HeadersInit =
    opened !== null && inviterId !== null
      ? { 'Set-Cookie': await webCookies().invite.serialize(inviterId) }
      : {}
  const reward = terms && rewardText(terms)
  return json({ welcome: welcome(trial), free: trialText(trial), reward }, { headers })
}

export async function action(args: ActionFunctionArgs) {
  const ctx = requireGuest(args, registeredHome)
  return handleForm(args, {
    register: form('Registration failed', registerInput, async (input) => {
      const account = await register(ctx, input)
      const headers = await sessionHeaders(ctx, account, args.request)
      const description = welcome(await trialNow(ctx.settings))
      return redirectWithToast(
        paths.landing,
        { kind: 'success', title: 'Account created!', description },
        headers,
      )
    }),
  })
}

/** Returns the trial in the videos that it makes, as Starter is sold now. */
const trialNow = async ({ trial }: { trial: TrialSettings }) =>
  trialInVideos(trial, (await readPlans()).Starter.clipUnits)

/** Returns one sentence about what a new account includes. */
const welcome = (trial: TrialSettings): string => {
  const free = trialText(trial)
  return free === null ? 'Choose a plan to make videos.' : `You can make ${free}.`
}

/** Signed-in users do not need another account, so the page redirects them (specification §2). */
const registeredHome = (role: UserRole) => (role === 'admin' ? homePath(role) : paths.landing)

export default function RegisterPage() {
  const failure = useActionData<typeof action>()
  const { welcome: sentence, free, reward } = useLoaderData<typeof loader>()
  const [form, fields] = useActionForm<RegisterInput>('register')
  return (
    <SignInLayout title="Create account" failure={failure}>
      {free && <p className="text-sm">A new account gets {free}.</p>}
      {reward && (
        <p className="text-sm">
          You were invited. With your first payment you and the person who invited you get {reward}{' '}
          each, if this is still offered then.
        </p>
      )}
      <ActionForm
        {...form}
        intent="register"
        className="space-y-4"
        data-pending="Creating account…"
        data-call={paths.api.register}
        data-done="Account created!"
        data-welcome={sentence}
        data-fails="Registration failed"
        data-leads={paths.landing}
      >
        <NewAccountFields fields={fields} />
        <Button className="w-full">Create Account</Button>
      </ActionForm>
      <p className="text-sm text-soft">
        Already have an account?{' '}
        <Link to={paths.login} className="font-medium text-ink underline underline-offset-4">
          Sign in
        </Link>
      </p>
      <p className="text-sm text-soft">
        Have a prepaid code?{' '}
        <Link to={paths.redeem} className="font-medium text-ink underline underline-offset-4">
          Open an account with it
        </Link>
      </p>
    </SignInLayout>
  )
}
