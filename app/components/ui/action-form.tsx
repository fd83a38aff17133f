import { Form, useRouteLoaderData, type FormProps } from '@remix-run/react'
import type { loader } from '~/root'

type Props = FormProps & { intent: string }

/** A posting form of ours: names what it wants and proves which session it was made for. */
export function ActionForm({ intent, children, ...rest }: Props) {
  return (
    <Form method="post" {...rest}>
      <FormIdentity intent={intent} />
      {children}
    </Form>
  )
}

/** The hidden fields of `ActionForm`, for a form that is built otherwise. */
export function FormIdentity({ intent }: { intent: string }) {
  const root = useRouteLoaderData<typeof loader>('root')
  return (
    <>
      <input type="hidden" name="intent" value={intent} />
      {root?.formToken && <input type="hidden" name="formToken" value={root.formToken} />}
    </>
  )
}
