import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { ConfirmCard, StartCard } from './set-up'
import { OnCard, RecoveryCodes } from './when-on'
import { ActionToast } from '~/components/ui/toasts'
import {
  confirmSecondFactorForm,
  secondFactorProof,
  startSecondFactorForm,
} from '~/domain/accounts/schemas'
import {
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '~/domain/accounts/second-factor.server'
import { HTTP_STATUS } from '~/domain/errors'
import { form, handleForm } from '~/http/forms/forms.server'
import { renewedCookie } from '~/http/actions/sign-in.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Two-step sign-in')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const state = await getSecondFactor(ctx)
  if (!state.isAdmin && !state.isOn) throw json(null, HTTP_STATUS.NOT_FOUND)
  const isHeldBack = (context.visitor?.isHeldBack ?? false) && !state.isOn
  return json({ ...state, isHeldBack })
}

const FAILED = 'Two-step sign-in was not changed'

export async function action(args: ActionFunctionArgs) {
  const { ctx, token } = requireUser(args)
  const done = (title: string, headers?: Headers) =>
    redirectWithToast(paths.secondFactor, { kind: 'success', title }, headers)
  const renewed = () => renewedCookie(ctx, token)
  // Recovery codes are part of the response itself. They never appear in a URL, a cookie or a
  // table.
  const shown: { codes?: string[]; headers: Headers } = { headers: new Headers() }
  const response = await handleForm(args, {
    start: form(FAILED, startSecondFactorForm, async ({ password }) => {
      await startSecondFactor(ctx, password)
      return done('Your key is ready', await renewed())
    }),
    confirm: form(FAILED, confirmSecondFactorForm, async ({ code }) => {
      shown.codes = await confirmSecondFactor(ctx, { code, token })
      return done('Two-step sign-in is on')
    }),
    renew: form(FAILED, secondFactorProof, async (proof) => {
      shown.codes = await renewRecoveryCodes(ctx, proof)
      shown.headers = await renewed()
      return done('New recovery codes')
    }),
    off: form(FAILED, secondFactorProof, async (proof) => {
      await endSecondFactor(ctx, proof, token)
      return done('Two-step sign-in is off', await renewed())
    }),
  })
  if (!shown.codes) return response
  return json({ codes: shown.codes }, { headers: shown.headers })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function TwoStepPage() {
  const { isOn, isAdmin, isHeldBack, codesLeft, pending } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  const codes = response && 'codes' in response ? response.codes : null
  const failure = response && 'toast' in response ? response : undefined
  return (
    <div className="mx-auto max-w-2xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Two-step sign-in</h1>
      {isHeldBack && (
        <p className="rounded border border-warn px-3 py-2 text-sm text-warn">
          Administrators have to use two-step sign-in here. Set it up to open the admin area.
        </p>
      )}
      <p className="text-sm text-soft">
        Signing in takes your password and a code from an app on your phone. Somebody who learns
        your password cannot sign in with it.
      </p>
      {codes ? (
        <RecoveryCodes codes={codes} leadsTo={isAdmin ? paths.admin.users : paths.secondFactor} />
      ) : isOn ? (
        <OnCard codesLeft={codesLeft} />
      ) : pending ? (
        <ConfirmCard shown={pending} />
      ) : (
        <StartCard />
      )}
    </div>
  )
}
