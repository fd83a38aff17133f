import type { DailyPrompt } from '~/domain/prompts/types'
import { callApi } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { writeClipboard } from '../ui/copy-button'
import { showToast } from '../ui/toasts'

// The actions of the daily prompt. They are one script file, loaded on demand.

/** Copies the prompt to the clipboard and counts the copy. */
export async function copyPrompt({ id, text }: DailyPrompt, refresh: () => void): Promise<void> {
  if (!(await writeClipboard(text))) {
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

/** Skips the prompt, so that the card shows another one. */
export async function skipPrompt({ id }: DailyPrompt, refresh: () => void): Promise<void> {
  const result = await callApi('POST', paths.api.skipPrompt(id), {})
  if (!result.ok) {
    const description = result.message ?? 'Failed to skip prompt'
    showToast({ kind: 'error', title: 'Skip failed', description })
    return
  }
  showToast({ kind: 'success', title: 'Prompt skipped', description: 'Showing you a new prompt' })
  refresh()
}
