import { Link, useNavigation } from '@remix-run/react'
import { useRef, type MouseEvent } from 'react'
import type { Draft, DraftText } from '~/domain/videos/requests/drafts'
import type { FormResponse } from '~/http/forms/forms.server'
import { EXAMPLE_PROMPTS } from '~/lib/example-prompts'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { FormIdentity } from '../ui/action-form'
import { Button } from '../ui/button'
import { useHydrated } from '../ui/use-hydrated'
import { RatioToggle } from '../videos/ratio-toggle'
import { EXAMPLE_CHARACTERS } from './chip'
import { PromptBox } from './prompt-box'
import { CreateForm } from './create-form'
import { typedDraft } from './typed-draft'
import { OrderTextBoxes } from './order-text-boxes'
import { useFormDraft } from './use-form-draft'
import { useOffered } from './use-offered'
import { useSentText } from './use-sent-text'

type Props = {
  userId: string
  formKey: string
  draft: Draft
  /** What the URL fills in, such as an example or the daily prompt. */
  offered: Partial<DraftText> | null
  failure: FormResponse | null
  isRunning: boolean
  /** Whether today's quota is used up. Then the next day can make the video. */
  isUsedUp: boolean
}

/**
 * The form for one prompt and one video. Works without scripts; scripts add the counters and store
 * what is typed.
 */
export function TextTab(props: Props) {
  const { userId, formKey, draft, offered, failure, isRunning, isUsedUp } = props
  const form = useRef<HTMLFormElement>(null)
  const isHydrated = useHydrated()
  const { formData } = useNavigation()
  const sending = formData?.get('intent') === 'generate' ? formData : null
  const isSending = sending !== null
  const initial: DraftText = typedDraft(failure, 'prompt') ?? { ...draft, ...offered }
  const options = { userId, kind: 'single', textField: 'prompt', draft, initial } as const
  const isRefused = failure !== null
  const { fields, sync } = useFormDraft(form, { ...options, sending, isRefused, lines: null })
  useSentText(form, { isSending, failure, sync })
  useOffered(form, { offered, initial, sync })
  const errors = failure?.result.error
  const isEmpty = isHydrated && fields.text.trim() === ''
  const fill = (event: MouseEvent, text: string) => {
    const box = form.current?.elements.namedItem('prompt')
    if (!(box instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    typeOver(box, text)
    sync()
  }
  return (
    <CreateForm tab="text" form={form} formKey={formKey} sync={sync}>
      <FormIdentity intent="generate" />
      <PromptBox
        rows={4}
        placeholder="Describe the video"
        initial={initial.text}
        typed={fields.text}
        errors={errors?.prompt ?? []}
      />
      <div className="composer-extra">
        <ul className="examples" aria-label="Example prompts">
          {EXAMPLE_PROMPTS.map((text) => (
            <li key={text}>
              <Link
                to={paths.writePrompt(text)}
                title={text}
                onClick={(event) => fill(event, text)}
                className="example-chip"
              >
                {excerpt(text, EXAMPLE_CHARACTERS)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div className="composer-extra">
        <OrderTextBoxes initial={initial} typed={fields} errors={errors} />
      </div>
      <div className="composer-actions">
        <RatioToggle defaultValue={initial.aspectRatio} isCompact />
        <Button data-submit disabled={isSending || isRunning || isEmpty}>
          {isSending ? 'Starting…' : 'Generate Video'}
        </Button>
        <div className="composer-note">
          {isRunning ? (
            <p className="composer-strip">
              One video at a time. Start the next when this one is done.
            </p>
          ) : isUsedUp ? (
            <div className="composer-strip">
              <Button look="plain" name="nextDay" value="yes" disabled={isSending || isEmpty}>
                Run it on the next day
              </Button>
            </div>
          ) : (
            isHydrated && <KeyHint />
          )}
        </div>
      </div>
    </CreateForm>
  )
}

/** Replaces the text as if it were typed, so that the browser's Undo brings back what was there. */
function typeOver(box: HTMLTextAreaElement, text: string): void {
  box.focus()
  box.select()
  // No other function adds to the browser's undo history.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  if (!document.execCommand('insertText', false, text)) box.value = text
}

/** Shown only on devices with a keyboard. */
function KeyHint() {
  return (
    <p className="max-md:hidden [@media(pointer:coarse)]:hidden">
      <kbd>Ctrl</kbd> or <kbd>⌘</kbd> + <kbd>Enter</kbd>
    </p>
  )
}
