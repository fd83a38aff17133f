import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { figure } from '~/lib/figures'
import { FieldErrors } from '../ui/field-frame'
import { CountedBox } from './counted-box'

type Props = {
  initial: string
  typed: string
  errors: readonly string[]
  rows: number
  placeholder: string
}

/** The box for the prompt of one video, with its number of characters. */
export function PromptBox({ initial, typed, errors, rows, placeholder }: Props) {
  return (
    <CountedBox
      name="prompt"
      label="Prompt"
      count={
        <>
          {figure(Array.from(typed).length)}
          <span className="sr-only"> characters</span>
        </>
      }
      isInvalid={errors.length > 0}
      rows={rows}
      required
      maxLength={VIDEO_LIMITS.promptCharacters}
      defaultValue={initial}
      aria-describedby={errors.length > 0 ? 'prompt-error' : undefined}
      placeholder={placeholder}
    >
      <FieldErrors id="prompt-error" messages={errors} />
    </CountedBox>
  )
}
