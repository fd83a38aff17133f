import { Link } from '@remix-run/react'
import { useRef, useState, type MouseEvent } from 'react'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { FieldErrors, inputClass } from '../ui/field'

const EXAMPLES = [
  'A paper boat drifting down a rainy street at dusk, slow dolly shot, warm lamplight',
  'Snow falling on quiet mountains at dawn, a single bird crossing the sky',
  'A neon city at night seen from above, cars flowing like rivers of light',
] as const

type Props = { defaultValue: string; errors: readonly string[] }

/** The prompt with its counter and three examples; without scripts an example is a link that fills it. */
export function PromptField({ defaultValue, errors }: Props) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [length, setLength] = useState(Array.from(defaultValue).length)
  const fill = (event: MouseEvent, text: string) => {
    if (!box.current) return
    event.preventDefault()
    box.current.value = text
    setLength(Array.from(text).length)
    box.current.focus()
  }
  return (
    <div className="space-y-2">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor="prompt" className="text-sm font-medium">
          Prompt
        </label>
        <span className="text-xs tabular-nums text-soft" aria-hidden>
          {length}
        </span>
      </div>
      <textarea
        ref={box}
        id="prompt"
        name="prompt"
        rows={4}
        required
        maxLength={VIDEO_LIMITS.promptCharacters}
        defaultValue={defaultValue}
        onChange={(event) => setLength(Array.from(event.target.value).length)}
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={errors.length > 0 ? 'prompt-error' : undefined}
        placeholder="Describe the video"
        className={inputClass}
      />
      <FieldErrors id="prompt-error" messages={errors} />
      <ul className="flex flex-wrap gap-2" aria-label="Example prompts">
        {EXAMPLES.map((text) => (
          <li key={text} className="max-w-full">
            <Link
              to={`${paths.app}?prompt=${encodeURIComponent(text)}`}
              onClick={(event) => fill(event, text)}
              className="block truncate rounded-full border border-line px-3 py-2 text-xs text-soft hover:border-edge hover:text-ink"
            >
              {excerpt(text, 50)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
