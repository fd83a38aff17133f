import { Form, type FormProps } from '@remix-run/react'
import { STAYS } from '~/lib/carried'
import { useHydrated } from './use-hydrated'
import { useRootData } from './use-root-data'

type Props = Omit<FormProps, 'navigate' | 'fetcherKey'> & {
  intent: string
  /**
   * With scripts the form is sent with the fetcher of this key, and the page stays (`STAYS`).
   */
  stays?: string | undefined
}

/** A form that posts its intent and the form token of the session. */
export function ActionForm({ intent, stays, children, ...rest }: Props) {
  const isHydrated = useHydrated()
  const byFetcher = stays === undefined ? {} : { navigate: false, fetcherKey: stays }
  return (
    <Form method="post" {...byFetcher} {...rest}>
      {children}
      {isHydrated && stays !== undefined && <HiddenFields fields={{ [STAYS]: stays }} />}
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
  return { intent, ...useFormToken() }
}

/** Returns the form token of the session as a field. */
export function useFormToken(): Record<string, string> {
  const root = useRootData()
  return root?.formToken ? { formToken: root.formToken } : {}
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
export const FormToken = () => <HiddenFields fields={useFormToken()} />
