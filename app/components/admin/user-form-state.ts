import type { SubmissionResult } from '@conform-to/react'
import { planNumbers } from '~/domain/administration/rules'
import { PLAN_NAMES } from '~/domain/plans/types'

/** What a form's fields hold, and what is wrong with them. */
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
  /** Keeps the ids of two forms apart. */
  form: string
  defaults: Readonly<Record<string, string | number | null>>
  /** The address of the page: it holds what was typed when 'Use plan values' was pressed. */
  draft: URLSearchParams
  result: SubmissionResult | undefined
}

/** What was typed wins over the draft in the address, that over the plan it names, that over defaults. */
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
      ...{ id: `${form}-${name}`, name, defaultValue: value(name) },
      errors: result?.error?.[name],
    }),
  }
}
