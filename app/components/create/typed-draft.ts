import type { SubmissionResult } from '@conform-to/react'
import { draftFrom, type BoxName, type DraftText } from '~/domain/videos/requests/drafts'
import type { FormResponse } from '~/http/forms/forms.server'

/** Returns what was typed into a form that failed, or null if no form failed. */
export function typedDraft(failure: FormResponse | null, box: BoxName): DraftText | null {
  if (!failure?.result.initialValue) return null
  const { result } = failure
  return draftFrom(box, (name) => typedText(result, name))
}

/** Returns what was typed into a field of a failed form, or '' if there is none. */
export function typedText(result: SubmissionResult, field: string): string {
  const value = result.initialValue?.[field]
  return typeof value === 'string' ? value : ''
}
