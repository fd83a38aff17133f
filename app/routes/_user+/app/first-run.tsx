import { EXAMPLE_PROMPTS } from '~/lib/example-prompts'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { SubmitButton } from '~/components/ui/submit-button'
import { useDailyPrompt } from '~/components/ui/use-root-data'
import { GENERATION_FAILED } from '~/components/create/create-form'

/**
 * Leads an account without videos to its first one by one press: of the daily prompt, if there is one.
 * Disappears as soon as the user writes a prompt of their own (`first-run`).
 */
export function FirstRun({ formKey }: { formKey: string }) {
  const prompt = useDailyPrompt()?.text ?? EXAMPLE_PROMPTS[0]
  const whole = excerpt(prompt, prompt.length)
  const shown = excerpt(prompt, 160)
  return (
    <ActionForm
      intent="generate"
      failed={GENERATION_FAILED}
      action={paths.create('text')}
      preventScrollReset
      className="first-run space-y-3 rounded-lg border border-line bg-surface p-4"
    >
      <p className="font-semibold">Your first video, in one press</p>
      <p dir="auto" className="break-words text-sm text-soft">
        “{shown}”
      </p>
      {shown !== whole && (
        <details className="text-sm text-soft">
          <summary className="min-h-11 cursor-pointer py-3">Show the whole prompt</summary>
          <p dir="auto" className="break-words">
            {whole}
          </p>
        </details>
      )}
      <HiddenFields fields={{ prompt, aspectRatio: 'portrait', formKey }} />
      <SubmitButton intent="generate" pending="Starting…" className="w-full">
        Make this video
      </SubmitButton>
    </ActionForm>
  )
}
