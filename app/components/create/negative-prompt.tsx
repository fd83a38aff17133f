import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { FieldErrors, inputClass } from '../ui/field-frame'
import { LiveCount } from './live-count'

const LIMIT = VIDEO_LIMITS.negativePromptCharacters

type Props = { defaultValue: string; typed: string; errors: readonly string[] }

/** What should not appear in the video. Folded until the user opens it. */
export function NegativePrompt({ defaultValue, typed, errors }: Props) {
  return (
    <details
      className="rounded border border-line px-3"
      open={defaultValue !== '' || errors.length > 0}
    >
      <summary className="cursor-pointer py-3 text-sm font-medium">
        Negative Prompt (optional)
      </summary>
      <div className="space-y-1.5 pb-3">
        <div className="flex items-baseline justify-between gap-2 text-sm text-soft">
          <label htmlFor="negativePrompt">
            <span className="sr-only">Negative Prompt: </span>
            <span className="inline-block first-letter:uppercase">what should not appear</span>
          </label>
          <LiveCount id="negativePrompt-count">
            {typed.length}/{LIMIT}
          </LiveCount>
        </div>
        <textarea
          id="negativePrompt"
          name="negativePrompt"
          dir="auto"
          rows={2}
          maxLength={LIMIT}
          defaultValue={defaultValue}
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={
            errors.length > 0 ? 'negativePrompt-error negativePrompt-count' : 'negativePrompt-count'
          }
          className={inputClass}
        />
        <FieldErrors id="negativePrompt-error" messages={errors} />
      </div>
    </details>
  )
}
