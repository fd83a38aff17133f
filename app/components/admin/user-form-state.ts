import type { SubmissionResult } from '@conform-to/react'
import { planNumbers } from '~/domain/administration/rules'
import { PLAN_NAMES } from '~/domain/plans/types'

/** The values and errors of a form's fields. */
export type UserFormState = {
  value: (name: string) => string
  field: (name: string) => {
    id: string
    name: string
    defaultValue: string
    errors: readonly string[] | null | undefined
  }
}

type Sources = {
  /** Prefix that keeps the ids of two forms apart. */
  form: string
  defaults: Readonly<Record<string, string | number | null>>
  /** The page's query string. It contains what was typed when 'Use plan values' was pressed. */
  draft: URLSearchParams
  result: SubmissionResult | undefined
}

/**
 * Returns the state of a form's fields. Precedence: what was typed, the draft in the URL, the
 * numbers of the draft's plan, the defaults.
 */
export function userFormState({ form, defaults, draft, result }: Sources): UserFormState {
  const plan = PLAN_NAMES.find((name) => name === draft.get('f-plan'))
  const ofPlan: Record<string, number> = plan ? planNumbers(plan) : {}
  const value = (name: string): string => {
    const typed = result?.initialValue
    if (typed) {
      const text = typed[name]
      return typeof text === 'string' ? text : ''
    }
    return String(draft.get(`f-${name}`) ?? ofPlan[name] ?? defaults[name] ?? '')
  }
  return {
    value,
    field: (name) => ({
      id: `${form}-${name}`,
      name,
      defaultValue: value(name),
      errors: result?.error?.[name],
    }),
  }
}
