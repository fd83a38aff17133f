import { z } from 'zod'
import { pastedText } from '~/lib/fields'
import { isCleanText } from '~/lib/text'
import { tokenAccount, tokenLabel } from './desk-schemas'
import { bareToken, NO_TOKEN, NO_TOKENS, parseTokenLines } from './rules'

/** The longest tokens are service-account keys, a JSON text of a few kilobytes. */
const MOST_CHARACTERS = 10_000

/** A pasted token, without what is around it. */
export const tokenText = z
  .string({ required_error: NO_TOKEN, invalid_type_error: 'The token must be text' })
  .transform(bareToken)
  .refine((value) => value !== '', NO_TOKEN)
  .refine((value) => value.length <= MOST_CHARACTERS && isCleanText(value), 'This is not a token')

const providerName = z.string().trim().max(20)

/** A token, and what the operator says about it. */
export const addTokenInput = z.object({
  token: tokenText,
  label: tokenLabel,
  account: tokenAccount,
  provider: providerName.optional().describe('as plans name it; by default the first one'),
})

/** Maximum number of tokens per bulk add. */
const MOST_AT_ONCE = 1000

/** The text of a bulk add: at least one token, one per line. */
export const addTokensInput = z.object({
  provider: providerName.optional(),
  tokens: pastedText(NO_TOKENS)
    .transform(parseTokenLines)
    .refine((lines) => lines.length > 0, NO_TOKENS)
    .refine((lines) => lines.length <= MOST_AT_ONCE, `At most ${MOST_AT_ONCE} tokens at once`),
})

export const assignTokensInput = z.object({
  provider: providerName.optional().describe('whose customers get them; by default the first one'),
  tokens: z
    .array(z.string({ invalid_type_error: 'The tokens must be texts' }), {
      required_error: NO_TOKENS,
      invalid_type_error: 'The tokens must be a list',
    })
    .transform((tokens) => tokens.filter((token) => token.trim() !== ''))
    .pipe(z.array(tokenText).min(1, NO_TOKENS)),
})
export type AssignTokensInput = z.output<typeof assignTokensInput>
