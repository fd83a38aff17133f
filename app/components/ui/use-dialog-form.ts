import { useFetcher, useLocation, useNavigate } from '@remix-run/react'
import { useEffect } from 'react'
import type { FormResponse } from '~/http/forms/forms.server'
import { closedAddress } from '~/lib/dialog-address'
import { useElementId } from './use-element-id'

type DialogForm = {
  /** The form's `stays`. */
  stays: string
  isSending: boolean
  /** The form as it was refused. */
  lastResult: FormResponse['result'] | undefined
  /** Why the form was refused, unless a field says so. */
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
  const refusal = isDone ? undefined : data
  const isAboutFields = Object.keys(refusal?.result.error ?? {}).length > 0
  return {
    stays,
    isSending: state !== 'idle',
    lastResult: refusal?.result,
    message: isAboutFields ? undefined : refusal?.toast,
  }
}
