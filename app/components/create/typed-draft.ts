import type { DraftText } from '~/domain/videos/requests/drafts'
import type { FormFailure } from '~/http/forms/forms.server'
import { typedText } from '../ui/typed-text'

/** What was typed into a form that came back, or null when none did. */
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
