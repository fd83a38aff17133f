import { getFormProps, useForm, type SubmissionResult } from '@conform-to/react'
import { useActionData } from '@remix-run/react'
import { useEffect } from 'react'

type Config<Fields extends Record<string, unknown>> = Parameters<typeof useForm<Fields>>[0]
type Options<Fields extends Record<string, unknown>> = Pick<
  Config<Fields>,
  'defaultValue' | 'onSubmit'
> & {
  /** Id of the form, and prefix of the ids of its fields. Default: the (first) intent. */
  id?: string
  /**
   * The result of a form whose result is not the page's action data. It has to stay the same object
   * until the next result, because each new object moves the focus to the first invalid field.
   */
  lastResult?: SubmissionResult | undefined
}

/** Conform keeps the errors of a form until the next result. This one removes them. */
const NO_ERRORS: SubmissionResult = {}

/**
 * Returns the props of a form that posts one of the intents, and the metadata of its fields, with
 * what was typed and the errors after a refusal. `Fields` is the input of the schema with which
 * the action parses the form, as a type only: browsers load no schemas. The browser's own checks
 * of required fields stay.
 */
export function useActionForm<Fields extends Record<string, unknown>>(
  intent: string | readonly [string, ...string[]],
  { id, lastResult, ...options }: Options<Fields> = {},
) {
  const response = useActionData<{ intent?: string; result?: SubmissionResult }>()
  const intents = typeof intent === 'string' ? ([intent] as const) : intent
  const isOurs = response?.intent !== undefined && intents.includes(response.intent)
  const result = lastResult ?? (isOurs ? response.result : undefined) ?? NO_ERRORS
  const [form, fields] = useForm<Fields>({ id: id ?? intents[0], lastResult: result, ...options })
  // Conform reads the fields at each input event. This one is for what was typed before the scripts
  // loaded.
  useEffect(() => {
    const [field] = document.forms.namedItem(form.id)?.getElementsByTagName('input') ?? []
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [form.id])
  return [{ ...getFormProps(form), noValidate: false }, fields] as const
}
