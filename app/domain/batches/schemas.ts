import { z } from 'zod'
import { isCleanText } from '~/lib/fields'
import { VIDEO_LIMITS } from '../videos/rules'
import { aspectRatio, negativePrompt } from '../videos/schemas'
import { BATCH_LIMITS, parsePromptLines, type PromptLine } from './rules'

export const NO_PROMPTS = 'Please enter at least one prompt'
export const TOO_MANY_PROMPTS = `Maximum ${BATCH_LIMITS.prompts} prompts allowed at once`

const cap = VIDEO_LIMITS.promptCharacters

/** What is wrong with the prompts, in words that name the line; empty when they can be taken. */
function problemsOf(prompts: readonly PromptLine[], place: string): string[] {
  if (prompts.length === 0) return [NO_PROMPTS]
  if (prompts.length > BATCH_LIMITS.prompts) return [TOO_MANY_PROMPTS]
  return prompts.flatMap(({ line, text }) => {
    if (!isCleanText(text)) return [`${place} ${line} contains characters that cannot be stored`]
    if (Array.from(text).length <= cap) return []
    return [`${place} ${line} can have at most ${cap.toLocaleString('en')} characters`]
  })
}

function refineAll(place: string) {
  return (prompts: readonly PromptLine[], ctx: z.RefinementCtx): string[] => {
    for (const message of problemsOf(prompts, place)) {
      ctx.addIssue({ code: z.ZodIssueCode.custom, message })
    }
    return prompts.map(({ text }) => text)
  }
}

const shared = { aspectRatio: aspectRatio.default('portrait'), negativePrompt }

/** What the call takes: an array; blanks are dropped as blank lines are. */
export const startBatchInput = z.object({
  prompts: z
    .array(z.string({ invalid_type_error: 'Prompts must be text' }), {
      required_error: NO_PROMPTS,
      invalid_type_error: 'Prompts must be a list of texts',
    })
    .transform((texts) =>
      texts
        .map((text, index) => ({ line: index + 1, text: text.trim() }))
        .filter(({ text }) => text !== ''),
    )
    .transform(refineAll('Prompt')),
  ...shared,
})
export type StartBatchInput = z.output<typeof startBatchInput>

/** What the page's box takes: text, one prompt a line. */
export const startBatchForm = z
  .object({
    promptLines: z
      .string({ required_error: NO_PROMPTS })
      .transform(parsePromptLines)
      .transform(refineAll('Line')),
    ...shared,
  })
  .transform(({ promptLines, ...rest }): StartBatchInput => ({ prompts: promptLines, ...rest }))
