import { z } from 'zod'
import { figure } from '~/lib/figures'
import { pastedText, trimmedText } from '~/lib/fields'
import { isCleanText, isLongerThan, linesOf, trimText } from '~/lib/text'
import { LIBRARY_PROMPT_CHARACTERS } from './limits'

export const libraryPrompt = trimmedText({
  label: 'Prompt',
  max: LIBRARY_PROMPT_CHARACTERS,
  tooShort: 'Please enter a prompt',
})

export const promptInput = z.object({ text: libraryPrompt })
export type PromptInput = z.output<typeof promptInput>

/** Maximum number of prompts per import. */
const MOST_AT_ONCE = 1000

/** One prompt per line. Lines are trimmed and blank lines dropped. */
export const bulkPromptsInput = z.object({
  prompts: pastedText('Please enter at least one prompt')
    .refine(isCleanText, 'Prompts contain characters that cannot be stored')
    .transform((value) => linesOf(value).map(trimText))
    .superRefine((lines, issues) => {
      const index = lines.findIndex((line) => isLongerThan(line, LIBRARY_PROMPT_CHARACTERS))
      if (index >= 0) {
        const most = figure(LIBRARY_PROMPT_CHARACTERS)
        const message = `Line ${index + 1}: Prompt can have at most ${most} characters`
        issues.addIssue({ code: 'custom', message })
      }
    })
    .transform((lines) => lines.filter((line) => line !== ''))
    .refine((lines) => lines.length > 0, 'Please enter at least one prompt')
    .refine(
      (lines) => lines.length <= MOST_AT_ONCE,
      () => ({ message: `At most ${figure(MOST_AT_ONCE)} prompts at once` }),
    ),
})
export type BulkPromptsInput = z.output<typeof bulkPromptsInput>

/** Maximum number of prompts per deletion. */
const MOST_DELETED = 10_000

export const promptIdsInput = z.object({
  promptIds: z
    .array(z.string().uuid('This prompt does not exist'), {
      required_error: 'Please select at least one prompt',
      invalid_type_error: 'promptIds must be a list',
    })
    .min(1, 'Please select at least one prompt')
    .refine(
      (ids) => ids.length <= MOST_DELETED,
      () => ({ message: `At most ${figure(MOST_DELETED)} prompts at once` }),
    ),
})
