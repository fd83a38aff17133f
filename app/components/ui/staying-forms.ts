import { useSubmit } from '@remix-run/react'
import { SCRIPTED, STAYS } from '~/lib/carried'
import { formDataOf, useFormToken, type Failed } from './action-form'

/** A form that stays got its response, or none. */
type Stayed = { intent: string; isDone: boolean }

const STAYED = 'stayed'

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- merging needs an interface
  interface WindowEventMap {
    [STAYED]: CustomEvent<Stayed>
  }
}

/** Tells the page that a form that stays got its response, or none. */
export function tellStayed(detail: Stayed): void {
  dispatchEvent(new CustomEvent(STAYED, { detail }))
}

/** Calls `update` after every form that stays until the returned function is called. */
export function listenForStayed(update: (stayed: Stayed) => void): () => void {
  const listener = ({ detail }: CustomEvent<Stayed>) => update(detail)
  addEventListener(STAYED, listener)
  return () => removeEventListener(STAYED, listener)
}

/** What the forms of open dialogs that say themselves why they were refused send as `STAYS`. */
export const speaking = new Set<unknown>()

/** The forms without elements that are being sent, by intent and subject. */
const underWay = new Set<string>()

const nameOf = (intent: unknown, on: unknown) => `${String(intent)} ${String(on)}`

/** Whether such a form is being sent. */
export const isSending = (): boolean => underWay.size > 0

/** Says that a form has got its response, so that it can be sent again. */
export const released = (data: FormData): void =>
  void underWay.delete(nameOf(data.get('intent'), data.get('on')))

type Question = {
  intent: string
  on: string
  failed: Failed
  /** Default: the page itself. */
  action?: string
  isConfirmed: () => boolean
}

/**
 * Returns a function that sends the form of a confirmation dialog (the intent and its subject)
 * without opening the dialog or leaving the page, if the user confirms it. While the same form is being
 * sent, a second press (of a double click) does nothing.
 */
export function useStayingForm(): (question: Question) => void {
  const submit = useSubmit()
  const token = useFormToken()
  return ({ intent, on, failed, action, isConfirmed }) => {
    const name = nameOf(intent, on)
    if (underWay.has(name) || !isConfirmed()) return
    underWay.add(name)
    const fields = { intent, on, ...token, [SCRIPTED]: failed, [STAYS]: 'yes' }
    submit(formDataOf(fields), {
      method: 'post',
      navigate: false,
      fetcherKey: name,
      ...(action !== undefined && { action }),
    })
  }
}
