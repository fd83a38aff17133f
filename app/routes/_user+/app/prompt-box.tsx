import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { figure } from '~/lib/figures'
import { FieldErrors } from '~/components/ui/field-frame'
import { CountedBox } from './counted-box'

type Props = {
  initial: string
  typed: string
  errors: readonly string[]
  rows: number
  placeholder: string
  /** Whether a page begins with the focus here. */
  isFocused?: boolean
}

/** The box for the prompt of one video, with its number of characters. */
export function PromptBox({ initial, typed, errors, rows, placeholder, isFocused = false }: Props) {
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
      {...(isFocused && { autoFocus: true })}
      maxLength={VIDEO_LIMITS.promptCharacters}
      defaultValue={initial}
      aria-describedby={errors.length > 0 ? 'prompt-error' : undefined}
      placeholder={placeholder}
    >
      <FieldErrors id="prompt-error" messages={errors} />
    </CountedBox>
  )
}
