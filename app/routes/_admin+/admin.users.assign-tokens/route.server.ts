import type { AssignResult } from '~/domain/administration/types'
import type { AdminCtx } from '~/domain/context'
import { assignTokens, previewAssignment } from '~/domain/tokens/assign-tokens.server'
import { parseTokenLines, repeatedLines } from '~/domain/tokens/rules'
import {
  keptText,
  messageOfFailure,
  problem,
  type PanelForm,
  type PanelToast,
} from '~/http/actions/panels.server'
import { textOf } from '~/http/forms/form-data.server'
import { plural } from '~/lib/figures'

/** Shows which user would get which token, or assigns the tokens. */
export async function runAssignment(
  ctx: AdminCtx,
  { data, refusal }: PanelForm,
): Promise<AssignResult> {
  const lines = parseTokenLines(textOf(data, 'text'))
  const tokens = lines.map(({ token }) => token)
  const refused = (toast: PanelToast): AssignResult => ({ toast, preview: null, ...keptText(data) })
  if (refusal) return refused(refusal)
  if (tokens.length === 0) {
    return refused(problem('No Tokens Found', 'Please enter at least one token.'))
  }
  try {
    const provider = textOf(data, 'provider') || undefined
    const preview = await previewAssignment(ctx, tokens, provider)
    if (preview.users === 0) {
      return refused(problem('No Users Found', 'There are no users to assign tokens to.'))
    }
    if (textOf(data, 'mode') !== 'assign') {
      const plan = { ...preview, repeatedLines: repeatedLines(lines) }
      return { toast: null, preview: plan, ...keptText(data) }
    }
    const { assigned, tokensUsed, repeated } = await assignTokens(ctx, { tokens, provider })
    const description = `${plural(assigned, 'user')}, ${plural(tokensUsed, 'token')} used, ${repeated} repeated.`
    return { toast: { kind: 'success', title: 'Tokens assigned', description }, preview: null }
  } catch (error) {
    return refused(problem('Token Assignment Failed', messageOfFailure(ctx, error)))
  }
}
