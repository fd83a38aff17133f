import { useFetcher, useLocation, useNavigate } from '@remix-run/react'
import { useEffect } from 'react'
import type { FormResponse } from '~/http/forms/forms.server'
import { closedAddress } from '~/lib/dialog-address'
import { speaking } from './staying-forms'
import { useElementId } from './use-element-id'

type DialogForm = {
  /** The form's `stays`. */
  stays: string
  isSending: boolean
  /** The form as it was refused. */
  lastResult: FormResponse['result'] | undefined
  /** Why the form was refused, without what a field says. No toast says it. */
  message: FormResponse['toast'] | undefined
}

/**
 * Returns the state of a form in a dialog whose page stays (`stays` of `ActionForm`). A success
 * closes the dialog.
 */
export function useDialogForm(): DialogForm {
  const stays = useElementId()
  const { state, data } = useFetcher<FormResponse>({ key: stays })
  const { search } = useLocation()
  const navigate = useNavigate()
  const isDone = data?.result.status === 'success'
  const back = closedAddress(search)
  useEffect(() => {
    if (isDone) navigate(back, { replace: true, preventScrollReset: true })
  }, [isDone, back, navigate])
  useEffect(() => {
    speaking.add(stays)
    return () => void speaking.delete(stays)
  }, [stays])
  const refusal = isDone ? undefined : data
  return {
    stays,
    isSending: state !== 'idle',
    lastResult: refusal?.result,
    message: refusal && messageOf(refusal),
  }
}

/** Returns the toast of a refusal, without its description if a field has the same text. */
function messageOf({ result, toast }: FormResponse): FormResponse['toast'] {
  const errors = Object.values(result.error ?? {}).flat()
  const isSaid = toast?.description !== undefined && errors.includes(toast.description)
  return isSaid ? { kind: toast.kind, title: toast.title } : toast
}
