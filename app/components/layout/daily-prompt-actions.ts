import type { DailyPrompt } from '~/domain/prompts/types'
import type { FormResponse } from '~/http/forms/forms.server'
import { callApi, readFailure, unanswered } from '~/lib/call-api'
import { STAYS } from '~/lib/carried'
import { paths } from '~/lib/paths'
import { postForm } from '~/lib/post-form'
import { showToast } from '../ui/toasts'

/** Counts a copy of the prompt, or says that the browser did not copy it. */
export async function countCopy(
  { id }: DailyPrompt,
  copied: Promise<boolean>,
  refresh: () => void,
): Promise<void> {
  if (!(await copied)) {
    showToast({ kind: 'error', title: 'Copy failed', description: 'Select the prompt to copy it' })
    return
  }
  const result = await callApi('POST', paths.api.copyPrompt(id), {})
  if (!result.ok) {
    const description = result.message ?? 'Failed to track prompt copy'
    showToast({ kind: 'error', title: 'Copy failed', description })
    return
  }
  showToast({
    kind: 'success',
    title: 'Copied to clipboard',
    description: 'Prompt has been copied',
  })
  refresh()
}

/** Sends the form that skips the prompt, so that the card shows another one. */
export async function skipPrompt(form: HTMLFormElement, refresh: () => void): Promise<void> {
  const response = await postForm(form, { [STAYS]: 'yes' })
  if (!response?.ok) {
    const message = response ? (await readFailure(response)).message : unanswered()
    const description = message ?? 'Failed to skip prompt'
    showToast({ kind: 'error', title: 'Skip failed', description })
    return
  }
  const answer: { json(): Promise<FormResponse> } = response
  const { toast } = await answer.json()
  if (toast) showToast(toast)
  refresh()
}
