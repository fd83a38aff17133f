import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { z, type input } from 'zod'
import { NewAccountFields } from '~/components/public/new-account-fields'
import { SignInLayout } from '~/components/public/sign-in-layout'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { Field } from '~/components/ui/field'
import { useActionForm } from '~/components/ui/use-action-form'
import { registerInput } from '~/domain/accounts/schemas'
import type { Account } from '~/domain/accounts/types'
import { prepaidCode, redeemForm } from '~/domain/administration/codes/code-schemas'
import { redeemCode, registerWithCode } from '~/domain/administration/codes/redeem-code.server'
import { storedText } from '~/domain/administration/outcome'
import { sessionHeaders } from '~/http/actions/sign-in.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { anyone } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { loginPath, paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () =>
  pageMeta('Redeem a code', 'Use a prepaid code for your account, or for a new one.')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { account } = anyone({ request, context })
  return json({ username: account?.username ?? null })
}

const registerForm = registerInput.extend({ prepaidCode })

export async function action(args: ActionFunctionArgs) {
  const { ctx, account } = anyone(args)
  const { address } = ctx.actor
  const toast = { kind: 'success', title: 'Code redeemed' } as const
  const own = (holder: Account) =>
    form(
      // What becomes of the days left is asked in the form itself.
      ({ fields }) => (fields?.seen ? null : 'Nothing was changed'),
      redeemForm,
      async ({ prepaidCode: typed, seen = null }) => {
        const user = await redeemCode(ctx, { holder, address, typed, seen })
        const description = storedText(user, ctx.settings.timeZone)
        return { to: paths.usage, toast: { ...toast, description } }
      },
    )
  const visitors = form('No account was created', registerForm, async (input) => {
    const { prepaidCode: typed, ...rest } = input
    const created = await registerWithCode(ctx, { ...rest, typed })
    const headers = await sessionHeaders(ctx, created, args.request)
    return redirectWithToast(
      paths.app,
      { ...toast, description: 'Your account is ready.' },
      headers,
    )
  })
  return handleForm(args, {
    redeem: account ? own(account) : elsewhere(loginPath(paths.redeem), 'Your session has ended'),
    register: account ? elsewhere(paths.redeem, 'You are signed in') : visitors,
  })
}

/** A form of a page that was opened signed in, or signed out, and is sent when that is no longer so. */
const elsewhere = (to: string, title: string) =>
  form(title, z.object({}), () =>
    Promise.resolve({
      to,
      toast: { kind: 'info', title, description: 'The code was not used. Type it again.' } as const,
    }),
  )

/** Where a prepaid code is used: for the own account, or for a new one. */
export default function RedeemPage() {
  const { username } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <SignInLayout title="Redeem a code" failure={failure}>
      {username === null ? <NewAccount /> : <OwnAccount username={username} />}
    </SignInLayout>
  )
}

function OwnAccount({ username }: { username: string }) {
  const [form, fields] = useActionForm<input<typeof redeemForm>>('redeem')
  const [left] = fields.seen.errors ?? []
  return (
    <ActionForm {...form} intent="redeem" className="space-y-4" data-pending="Redeeming…">
      <p className="break-words text-sm">For the account {username}.</p>
      <CodeField field={fields.prepaidCode} />
      {left !== undefined && (
        <p role="alert" className="rounded border border-warn px-3 py-2 text-sm text-warn">
          {left}
        </p>
      )}
      {left !== undefined && <HiddenFields fields={{ seen: left }} />}
      <Button className="w-full">{left === undefined ? 'Redeem' : 'Redeem it all the same'}</Button>
    </ActionForm>
  )
}

function NewAccount() {
  const [form, fields] = useActionForm<input<typeof registerForm>>('register')
  return (
    <>
      <p className="text-sm">
        Have you got an account?{' '}
        <Link
          to={loginPath(paths.redeem)}
          className="font-medium text-ink underline underline-offset-4"
        >
          Sign in first
        </Link>
        . Otherwise the code opens a new one.
      </p>
      <ActionForm
        {...form}
        intent="register"
        className="space-y-4"
        data-pending="Creating account…"
      >
        <CodeField field={fields.prepaidCode} />
        <NewAccountFields fields={fields} />
        <Button className="w-full">Create account</Button>
      </ActionForm>
    </>
  )
}

const CodeField = ({ field }: Pick<Parameters<typeof Field>[0], 'field'>) => (
  <Field
    field={field}
    label="Code"
    placeholder="XXXX-XXXX-XXXX-XXXX"
    autoComplete="off"
    autoCapitalize="characters"
    spellCheck={false}
    required
  />
)
