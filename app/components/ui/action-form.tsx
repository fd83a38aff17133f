import { Form, type FormProps } from '@remix-run/react'
import { useRootData } from './use-root-data'

type Props = FormProps & { intent: string }

/** A form that posts its intent and the form token of the session. */
export function ActionForm({ intent, children, ...rest }: Props) {
  return (
    <Form method="post" {...rest}>
      {children}
      {/* Last, because Tailwind's spacing of the fields would count it as the first one. */}
      <FormIdentity intent={intent} />
    </Form>
  )
}

/** The hidden fields of `ActionForm`, for forms that cannot use it. */
export function FormIdentity({ intent }: { intent: string }) {
  return <HiddenFields fields={useFormIdentity(intent)} />
}

/**
 * Returns the same fields as data, for a form that scripts submit (`useSubmit`, `fetcher.submit`).
 */
export function useFormIdentity(intent: string): Record<string, string> {
  const root = useRootData()
  return { intent, ...(root?.formToken && { formToken: root.formToken }) }
}

type Fields = Readonly<Record<string, string | readonly string[]>>

/** Hidden fields. A list becomes one field per value. */
export function HiddenFields({ fields }: { fields: Fields }) {
  return Object.entries(fields).map(([name, value]) =>
    [value]
      .flat()
      .map((text) => <input key={`${name}:${text}`} type="hidden" name={name} value={text} />),
  )
}

/** Only the form token, for a form whose buttons have the intents. */
export function FormToken() {
  const root = useRootData()
  return root?.formToken ? <HiddenFields fields={{ formToken: root.formToken }} /> : null
}
