import type { ShouldRevalidateFunctionArgs } from '@remix-run/react'

/**
 * After a form that got no answer nothing is loaded again: nothing has changed, and loading what does
 * not answer either would replace the page, and what was typed, by an error.
 */
export function unlessUnanswered({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const result: unknown = actionResult
  const isUnanswered = typeof result === 'object' && result !== null && 'isUnanswered' in result
  return isUnanswered ? false : defaultShouldRevalidate
}
