import type { SubmissionResult } from '@conform-to/react'

/** What was typed into a field of a form that came back, or '' when nothing was. */
export function typedText(result: SubmissionResult | undefined, field: string): string {
  const value = result?.initialValue?.[field]
  return typeof value === 'string' ? value : ''
}
