import { z } from 'zod'
import { text } from '~/lib/fields'
import { isCleanText, isLongerThan, linesOf, trimText } from '~/lib/text'
import { LIBRARY_PROMPT_CHARACTERS } from './limits'

const EMPTY = 'Please enter a prompt'
const TOO_LONG = `Prompt can have at most ${LIBRARY_PROMPT_CHARACTERS.toLocaleString('en')} characters`

export const libraryPrompt = text({
  label: 'Prompt',
  max: LIBRARY_PROMPT_CHARACTERS * 2, // before trimming; the exact limit is checked below
  tooShort: EMPTY,
  tooLong: TOO_LONG,
})
  .transform(trimText)
  .refine((value) => value.length > 0, EMPTY)
  .refine((value) => !isLongerThan(value, LIBRARY_PROMPT_CHARACTERS), TOO_LONG)

export const promptInput = z.object({ text: libraryPrompt })
export type PromptInput = z.output<typeof promptInput>

/** Maximum number of prompts per import. */
const MOST_AT_ONCE = 1000

/** One prompt per line. Lines are trimmed and blank lines dropped. */
export const bulkPromptsInput = z.object({
  prompts: z
    .string({ required_error: 'Please enter at least one prompt' })
    .refine(isCleanText, 'Prompts contain characters that cannot be stored')
    .transform((value) => linesOf(value).map(trimText))
    .superRefine((lines, issues) => {
      const tooLong = lines.findIndex((line) => isLongerThan(line, LIBRARY_PROMPT_CHARACTERS))
      if (tooLong >= 0) {
        issues.addIssue({ code: 'custom', message: `Line ${tooLong + 1}: ${TOO_LONG}` })
      }
    })
    .transform((lines) => lines.filter((line) => line !== ''))
    .refine((lines) => lines.length > 0, 'Please enter at least one prompt')
    .refine(
      (lines) => lines.length <= MOST_AT_ONCE,
      `At most ${MOST_AT_ONCE.toLocaleString('en')} prompts at once`,
    ),
})
export type BulkPromptsInput = z.output<typeof bulkPromptsInput>

export const promptIdsInput = z.object({
  promptIds: z
    .array(z.string().uuid('This prompt does not exist'), {
      required_error: 'Please select at least one prompt',
      invalid_type_error: 'promptIds must be a list',
    })
    .min(1, 'Please select at least one prompt')
    .max(10_000, 'At most 10,000 prompts at once'),
})
