import { Form, type FormProps } from '@remix-run/react'
import { useRootData } from './use-root-data'

type Props = FormProps & { intent: string }

/** A posting form of ours: names what it wants and proves which session it was made for. */
export function ActionForm({ intent, children, ...rest }: Props) {
  return (
    <Form method="post" {...rest}>
      {children}
      {/* Last: before the first field it would count as one when the fields are spaced. */}
      <FormIdentity intent={intent} />
    </Form>
  )
}

/** The hidden fields of `ActionForm`, for a form that is built otherwise. */
export function FormIdentity({ intent }: { intent: string }) {
  return <HiddenFields fields={useFormIdentity(intent)} />
}

/** The same as data, for a form that scripts send (`useSubmit`, `fetcher.submit`). */
export function useFormIdentity(intent: string): Record<string, string> {
  const root = useRootData()
  return { intent, ...(root?.formToken && { formToken: root.formToken }) }
}

type Fields = Readonly<Record<string, string | readonly string[]>>

/** Fields that nobody edits; a list becomes one field for each of its values. */
export function HiddenFields({ fields }: { fields: Fields }) {
  return Object.entries(fields).map(([name, value]) =>
    [value]
      .flat()
      .map((text) => <input key={`${name}:${text}`} type="hidden" name={name} value={text} />),
  )
}

/** Only the proof of the session, for a form whose buttons name what they want. */
export function FormToken() {
  const root = useRootData()
  return root?.formToken ? <HiddenFields fields={{ formToken: root.formToken }} /> : null
}
