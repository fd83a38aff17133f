import type {
  ActionFunctionArgs,
  HeadersArgs,
  LoaderFunctionArgs,
  MetaFunction,
} from '@remix-run/node'
import { json, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { SignInLayout } from '~/components/public/sign-in-layout'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Button, ButtonLink } from '~/components/ui/button'
import {
  confirmEmail,
  EMAIL_LINK_IS_OVER,
  findEmailLink,
} from '~/domain/notifications/email.server'
import { confirmEmailForm } from '~/domain/notifications/schemas'
import { form, handleForm } from '~/http/forms/forms.server'
import { anyone } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Confirm your address')

const NO_STORE = { 'Cache-Control': 'no-store' }

/** Opening the link changes nothing, because programs that check mails open links too. */
export async function loader(args: LoaderFunctionArgs) {
  const { ctx } = anyone(args)
  const { searchParams } = new URL(args.request.url)
  const token = searchParams.get('token') ?? ''
  const isDone = searchParams.has('done')
  const link = isDone ? null : await findEmailLink(ctx, token)
  const words = isDone
    ? 'The address is confirmed. You get an e-mail when a batch is done.'
    : EMAIL_LINK_IS_OVER
  return json({ token, link, words }, { headers: NO_STORE })
}

/** Applies the loader’s `no-store` to the page too, which contains the link’s secret. */
export function headers({ loaderHeaders }: HeadersArgs): Headers {
  return loaderHeaders
}

export async function action(args: ActionFunctionArgs) {
  const { ctx, account } = anyone(args)
  return handleForm(args, {
    'confirm-email': form('Address not confirmed', confirmEmailForm, async (input) => {
      await confirmEmail(ctx, input)
      if (!account) return redirect(paths.emailConfirmed, { status: 303 })
      const description = 'You get an e-mail when a batch is done.'
      const toast = { kind: 'success', title: 'Address confirmed', description } as const
      return redirectWithToast(paths.notifications, toast)
    }),
  })
}

export default function ConfirmEmailPage() {
  const { token, link, words } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <SignInLayout title="Confirm your address" failure={failure}>
      {link === null ? (
        <div className="space-y-4">
          <p>{words}</p>
          <ButtonLink to={paths.notifications} look="plain">
            Go to your account
          </ButtonLink>
        </div>
      ) : (
        <ActionForm intent="confirm-email" className="space-y-4" data-pending="Saving…">
          <p className="break-words">
            The account <bdi>{link.account}</bdi> asks to be told at <bdi>{link.address}</bdi> when
            its batches are done.
          </p>
          <Button className="w-full">Confirm the address</Button>
          <HiddenFields fields={{ token }} />
        </ActionForm>
      )}
    </SignInLayout>
  )
}
