import type { SubmissionResult } from '@conform-to/react'

/** Returns what was typed into a field of a failed form, or '' if there is none. */
export function typedText(result: SubmissionResult | undefined, field: string): string {
  const value = result?.initialValue?.[field]
  return typeof value === 'string' ? value : ''
}
