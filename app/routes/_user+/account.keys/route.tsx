import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { KeyList } from './key-list'
import { NewKeyForm, ShownKey } from './new-key'
import { ActionToast } from '~/components/ui/toasts'
import { useLatest } from '~/components/ui/use-latest'
import { createApiKey, endOwnApiKey, listApiKeys } from '~/domain/accounts/api-keys.server'
import { mayUseApi } from '~/domain/accounts/rules'
import { createApiKeyForm, endApiKeyForm } from '~/domain/accounts/schemas'
import { renewedCookie } from '~/http/actions/sign-in.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('API keys')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, account } = requireUser({ request, context })
  return json({
    mayHave: mayUseApi(account),
    keys: await listApiKeys(ctx.db, ctx.actor.id),
    address: ctx.settings.appUrl,
  })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx, token } = requireUser(args)
  const done = async (title: string, description: string, headers: Headers) =>
    redirectWithToast(paths.apiKeys, { kind: 'success', title, description }, headers)
  const renewed = () => renewedCookie(ctx, token)
  // The key is part of the response itself. It never appears in a URL, a cookie or a table.
  const shown: { key?: string; headers: Headers } = { headers: new Headers() }
  const response = await handleForm(args, {
    'create-key': form('Key not created', createApiKeyForm, async (input) => {
      shown.key = await createApiKey(ctx, input)
      shown.headers = await renewed()
      return done('Key created', input.name, new Headers())
    }),
    'end-key': form('Key not ended', endApiKeyForm, async (input) => {
      const name = await endOwnApiKey(ctx, input)
      return done('Key ended', `${name} does not work any more.`, await renewed())
    }),
  })
  if (shown.key === undefined) return response
  return json({ key: shown.key }, { headers: shown.headers })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function KeysPage() {
  const { keys, mayHave, address } = useLoaderData<typeof loader>()
  const response = useActionData<typeof action>()
  const key = response && 'key' in response ? response.key : null
  const latest = useLatest(key)
  const failure = response && 'toast' in response ? response : undefined
  return (
    <div className="mx-auto max-w-2xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">API keys</h1>
      <p className="text-sm text-soft">
        A key lets a program of yours make and download videos, within your plan. It cannot sign in,
        change the account or delete videos for good. Whoever has a key can use it, so keep it as
        safe as a password.
      </p>
      <ShownKey value={key} address={address} />
      {!mayHave && (
        <p className="rounded border border-warn px-3 py-2 text-sm text-warn">
          {keys.length > 0 && 'Your keys are refused for now. '}
          API keys are part of the Enterprise plan. For another plan, ask us to allow them.
        </p>
      )}
      {keys.length > 0 && <KeyList keys={keys} />}
      {mayHave && <NewKeyForm key={latest} />}
    </div>
  )
}
