import type { DraftText } from '~/domain/videos/requests/drafts'
import type { FormFailure } from '~/http/forms/forms.server'
import { typedText } from '../ui/typed-text'

/** Returns what was typed into a form that failed, or null if no form failed. */
export function typedDraft(
  failure: FormFailure | null,
  textField: 'prompt' | 'promptLines',
): DraftText | null {
  if (!failure?.result.initialValue) return null
  const { result } = failure
  return {
    text: typedText(result, textField),
    negativePrompt: typedText(result, 'negativePrompt'),
    aspectRatio: typedText(result, 'aspectRatio') === 'landscape' ? 'landscape' : 'portrait',
  }
}
