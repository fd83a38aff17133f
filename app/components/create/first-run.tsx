import { EXAMPLE_PROMPTS } from '~/lib/example-prompts'
import { paths } from '~/lib/paths'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { SubmitButton } from '../ui/submit-button'

/**
 * Leads an account without videos to its first one by one press. Disappears as soon as the user
 * writes a prompt of their own (`first-run`).
 */
export function FirstRun({ formKey }: { formKey: string }) {
  const [prompt] = EXAMPLE_PROMPTS
  return (
    <ActionForm
      intent="generate"
      action={paths.create('text')}
      preventScrollReset
      className="first-run space-y-3 rounded-lg border border-line bg-surface p-4"
    >
      <p className="font-semibold">Your first video, in one press</p>
      <p className="text-sm text-soft">“{prompt}”</p>
      <HiddenFields fields={{ prompt, aspectRatio: 'portrait', formKey }} />
      <SubmitButton intent="generate" pending="Starting…" className="w-full">
        Make this video
      </SubmitButton>
    </ActionForm>
  )
}
