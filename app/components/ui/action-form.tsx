import { Form, type FormProps } from '@remix-run/react'
import { NO_CONNECTION, REQUEST_FAILED } from '~/lib/call-api'
import { SCRIPTED, STAYS } from '~/lib/carried'
import { useHydrated } from './use-hydrated'
import { useRootData } from './use-root-data'

type Props = Omit<FormProps, 'navigate' | 'fetcherKey'> & {
  intent: string
  failed?: Failed | undefined
  /**
   * With scripts the form is sent with the fetcher of this key, and the page stays (`STAYS`).
   */
  stays?: string | undefined
}

/** A form that posts its intent and the form token of the session. */
export function ActionForm({ intent, failed, stays, children, ...rest }: Props) {
  const isHydrated = useHydrated()
  const byFetcher = stays === undefined ? {} : { navigate: false, fetcherKey: stays }
  return (
    <Form method="post" {...byFetcher} {...rest}>
      {children}
      {isHydrated && stays !== undefined && <HiddenFields fields={{ [STAYS]: stays }} />}
      {/* Last, because Tailwind's spacing of the fields would count it as the first one. */}
      <FormIdentity intent={intent} failed={failed} />
    </Form>
  )
}

/**
 * What a form's toast says if the server gives no reason: the title, the description, and the
 * description if no response arrives at all. Default: 'Request failed'.
 */
export type Failed =
  | string
  | readonly [title: string, reason: string]
  | readonly [title: string, reason: string, lost: string]

/** If a form has no words of its own. */
const ANY_FAILED = [REQUEST_FAILED, 'An error occurred', NO_CONNECTION] as const

type Identity = { intent: string; failed?: Failed | undefined }

/** The hidden fields of `ActionForm`, for forms that cannot use it. */
export function FormIdentity({ intent, failed }: Identity) {
  return <HiddenFields fields={useFormIdentity(intent, failed)} />
}

/**
 * Returns the same fields as data, for a form that scripts submit (`useSubmit`, `fetcher.submit`).
 */
export function useFormIdentity(intent: string, failed?: Failed): Fields {
  return { intent, ...useFormToken(), ...useFailed(failed) }
}

/**
 * Returns the words of a failure as fields, which tell the server as well that the page keeps what was
 * typed. Without scripts there are none. `of`: the intent, in a form with several.
 */
function useFailed(failed: Failed = ANY_FAILED, of?: string): Fields {
  const name = of === undefined ? SCRIPTED : `${SCRIPTED}-${of}`
  return useHydrated() ? { [name]: failed } : {}
}

/** The words of a failure, for a form whose buttons have the intents. */
export const FailedFields = ({ failed, of }: { failed: Failed; of?: string }) => (
  <HiddenFields fields={useFailed(failed, of)} />
)

/** Returns the form token of the session as a field. */
export function useFormToken(): Record<string, string> {
  const root = useRootData()
  return root?.formToken ? { formToken: root.formToken } : {}
}

/** Fields by name. A list becomes one field per value. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

/** Returns fields as the data of a form that scripts submit. */
export function formDataOf(fields: Fields): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const text of [value].flat()) data.append(name, text)
  return data
}

/** Hidden fields. */
export function HiddenFields({ fields }: { fields: Fields }) {
  return Object.entries(fields).map(([name, value]) =>
    [value]
      .flat()
      .map((text) => <input key={`${name}:${text}`} type="hidden" name={name} value={text} />),
  )
}

/** Only the form token, for a form whose buttons have the intents. */
export const FormToken = () => <HiddenFields fields={useFormToken()} />
