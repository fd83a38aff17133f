import { Link, useNavigation } from '@remix-run/react'
import { VIDEO_LIMITS } from '~/domain/videos/rules'
import type { FormFailure } from '~/http/forms.server'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { FieldErrors, inputClass } from '../ui/field'
import { typedText } from '../ui/typed-text'
import { PromptField } from './prompt-field'
import { RatioToggle } from './ratio-toggle'

type Props = {
  formKey: string
  prompt: string
  failure: FormFailure | null
  isWorking: boolean
  isPaused: boolean
}

/** One prompt, one video. Works as a plain form; scripts add the counter and the pending state. */
export function TextToVideoForm({ formKey, prompt, failure, isWorking, isPaused }: Props) {
  const navigation = useNavigation()
  const isSending = navigation.formData?.get('intent') === 'generate'
  const typed = failure?.result
  const errors = failure?.result.error
  return (
    <Card title="Text to Video">
      <ActionForm intent="generate" action={paths.app} className="space-y-4">
        <input type="hidden" name="formKey" value={formKey} />
        <PromptField
          defaultValue={typedText(typed, 'prompt') || prompt}
          errors={errors?.prompt ?? []}
        />
        <details
          className="rounded border border-line px-3"
          open={typedText(typed, 'negativePrompt') !== ''}
        >
          <summary className="cursor-pointer py-2.5 text-sm font-medium">
            Negative Prompt (optional)
          </summary>
          <div className="space-y-1.5 pb-3">
            <label htmlFor="negativePrompt" className="text-sm text-soft">
              What should not appear
            </label>
            <textarea
              id="negativePrompt"
              name="negativePrompt"
              rows={2}
              maxLength={VIDEO_LIMITS.negativePromptCharacters}
              defaultValue={typedText(typed, 'negativePrompt')}
              className={inputClass}
            />
            <FieldErrors id="negativePrompt-error" messages={errors?.negativePrompt ?? []} />
          </div>
        </details>
        <RatioToggle
          defaultValue={typedText(typed, 'aspectRatio') === 'landscape' ? 'landscape' : 'portrait'}
        />
        {isWorking && <ReloadHint isPaused={isPaused} />}
        <Button className="w-full sm:w-auto" disabled={isSending || isWorking}>
          {isSending ? 'Starting…' : 'Generate Video'}
        </Button>
      </ActionForm>
    </Card>
  )
}

/** Without scripts the page reloads to show progress, which would lose a prompt being typed. */
function ReloadHint({ isPaused }: { isPaused: boolean }) {
  return (
    <noscript>
      <p className="text-sm text-soft">
        {isPaused ? (
          <Link to={paths.app} className="underline">
            Show progress
          </Link>
        ) : (
          <>
            This page reloads while a video is being made.{' '}
            <Link to={`${paths.app}?pause`} className="underline">
              Stop reloading to write the next prompt
            </Link>
          </>
        )}
      </p>
    </noscript>
  )
}
