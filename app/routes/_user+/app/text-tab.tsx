import { Link, useNavigation } from '@remix-run/react'
import { useRef, type MouseEvent } from 'react'
import type { Draft, DraftText } from '~/domain/videos/requests/drafts'
import { aheadText } from '~/domain/videos/rules'
import type { FormResponse } from '~/http/forms/forms.server'
import { EXAMPLE_PROMPTS } from '~/lib/example-prompts'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { FormIdentity } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { useHydrated } from '~/components/ui/use-hydrated'
import { useDailyPrompt } from '~/components/ui/use-root-data'
import { RatioToggle } from '~/components/videos/ratio-toggle'
import { EXAMPLE_CHARACTERS } from './chip'
import { PromptBox } from './prompt-box'
import { CreateForm, GENERATION_FAILED } from '~/components/create/create-form'
import { typedDraft } from '~/components/create/typed-draft'
import { RewriteFold } from '~/components/create/rewrite-fold'
import { OrderTextBoxes } from '~/components/create/order-text-boxes'
import { useFormDraft } from './use-form-draft'
import { useOffered } from './use-offered'
import { useSentText } from './use-sent-text'

type Props = {
  userId: string
  formKey: string
  draft: Draft
  hasTexts: true | undefined
  /** What the URL fills in, such as an example or the daily prompt. */
  offered: Partial<DraftText> | null
  failure: FormResponse | null
  /** How many prompts wait in line behind the video that is being made; null: none is made. */
  inLine: number | null
  /** Whether the account has no video yet: what it needs first is a prompt. */
  isFirst: boolean
  /** Whether today's quota is used up. Then the next day can make the video. */
  isUsedUp: boolean
}

/**
 * The form for one prompt and one video. Works without scripts; scripts add the counters and store
 * what is typed.
 */
export function TextTab(props: Props) {
  const { userId, formKey, draft, offered, failure, inLine, isFirst, isUsedUp } = props
  const form = useRef<HTMLFormElement>(null)
  const isHydrated = useHydrated()
  const examples = useExamples()
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
      {/* The form's first button, which Enter in a field presses. */}
      <button hidden tabIndex={-1} />
      <PromptBox
        rows={4}
        placeholder="Describe the video"
        initial={initial.text}
        typed={fields.text}
        errors={errors?.prompt ?? []}
        isFocused={isFirst}
      />
      <div className="composer-extra">
        <ul className="examples" aria-label="Example prompts">
          {examples.map(({ text, to }) => (
            <li key={text}>
              <Link
                to={to}
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
        {props.hasTexts && <RewriteFold />}
      </div>
      <div className="composer-actions">
        <RatioToggle defaultValue={initial.aspectRatio} isCompact />
        <Button data-submit disabled={isSending || isEmpty}>
          {isSending ? 'Starting…' : inLine === null ? 'Generate Video' : 'Add to the line'}
        </Button>
        <div className="composer-note">
          {isUsedUp ? (
            <div className="composer-strip">
              <Button look="plain" name="nextDay" value="yes" disabled={isSending || isEmpty}>
                Run it on the next day
              </Button>
            </div>
          ) : inLine === null ? (
            isHydrated && <KeyHint />
          ) : (
            <p className="composer-strip">{aheadText(inLine)}</p>
          )}
        </div>
      </div>
      {/* Last, because the first intent counts: a button has its own. */}
      <FormIdentity intent="generate" failed={GENERATION_FAILED} />
    </CreateForm>
  )
}

/** Returns the specified three examples. The daily prompt is the first, if there is one. */
function useExamples(): { text: string; to: string }[] {
  const daily = useDailyPrompt()
  const own = EXAMPLE_PROMPTS.map((text) => ({ text, to: paths.writePrompt(text) }))
  if (!daily) return own
  const others = own.filter(({ text }) => text !== daily.text)
  return [{ text: daily.text, to: paths.writeDaily(daily.id) }, ...others].slice(0, own.length)
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
