import { parseImport, NO_DATA, TOO_MANY_USERS } from '~/domain/administration/import-rules'
import { checkImport, importUsers } from '~/domain/administration/import-users.server'
import { USER_RULES } from '~/domain/administration/rules'
import type { AssignAnswer, ImportAnswer, ImportResult } from '~/domain/administration/types'
import type { AdminCtx } from '~/domain/context'
import { assignTokens, previewAssignment } from '~/domain/tokens/assign-tokens.server'
import { plural } from '~/lib/text'
import { textOf } from './answered-form.server'
import { toAppError } from './failures.server'

type Toast = ImportAnswer['toast']
const problem = (title: string, description: string): Toast => ({
  ...{ kind: 'error', title, description },
})

/** Without scripts the box is made anew, so what was pasted comes back with the answer. */
const kept = (data: FormData) => (data.has('scripted') ? {} : { text: textOf(data, 'text') })

/** Checks or imports a pasted text: a result for each of its lines. */
export async function answerImport(ctx: AdminCtx, data: FormData): Promise<ImportAnswer> {
  const isCheck = textOf(data, 'mode') === 'check'
  const lines = parseImport(textOf(data, 'text'))
  const refused = (toast: Toast): ImportAnswer => ({ results: [], isCheck, toast, ...kept(data) })
  if (lines.length === 0) return refused(problem(NO_DATA, 'Paste at least one user.'))
  if (lines.length > USER_RULES.importAtOnce)
    return refused(problem('Too Many Users', TOO_MANY_USERS))
  const entries = lines.flatMap((line) => ('entry' in line ? [line.entry] : []))
  try {
    const made = await (isCheck ? checkImport : importUsers)(ctx, entries)
    const rest = made[Symbol.iterator]()
    const results = lines.flatMap((line): ImportResult[] => {
      if ('problem' in line) return [{ username: '', success: false, error: line.problem }]
      const next = rest.next()
      return next.done ? [] : [next.value]
    })
    const badLines = lines.flatMap((line) => ('problem' in line ? [line.problem] : []))
    const toast = verdict(results, { isCheck, badLines })
    return { results, isCheck, toast, ...(isCheck && kept(data)) }
  } catch (error) {
    return refused(problem('Bulk Import Failed', toAppError(error, ctx.requestId).message))
  }
}

function verdict(
  results: readonly ImportResult[],
  { isCheck, badLines }: { isCheck: boolean; badLines: readonly string[] },
): Toast {
  const good = results.filter(({ success }) => success).length
  const counts = isCheck
    ? `${good} would succeed, ${results.length - good} would fail.`
    : `${good} succeeded, ${results.length - good} failed.`
  if (badLines.length > 0) return problem('Format Errors', `${badLines.join('. ')}. ${counts}`)
  const title = isCheck ? 'Import checked' : 'Import complete'
  return { kind: good === 0 ? 'error' : 'success', title, description: counts }
}

/** Shows who would get which token, or hands them out. */
export async function answerAssign(ctx: AdminCtx, data: FormData): Promise<AssignAnswer> {
  const tokens = textOf(data, 'text')
    .split(/\r\n|\r|\n/)
    .map((token) => token.trim())
    .filter((token) => token !== '')
  const refused = (toast: Toast): AssignAnswer => ({ toast, preview: null, ...kept(data) })
  if (tokens.length === 0) {
    return refused(problem('No Tokens Found', 'Please enter at least one token.'))
  }
  const preview = await previewAssignment(ctx, tokens)
  if (preview.users === 0) {
    return refused(problem('No Users Found', 'There are no users to assign tokens to.'))
  }
  if (textOf(data, 'mode') !== 'assign') return { toast: null, preview, ...kept(data) }
  try {
    const { assigned, tokensUsed, repeated } = await assignTokens(ctx, { tokens })
    const description = `${plural(assigned, 'user')}, ${plural(tokensUsed, 'token')} used, ${repeated} repeated.`
    return { toast: { kind: 'success', title: 'Tokens assigned', description }, preview: null }
  } catch (error) {
    return refused(problem('Token Assignment Failed', toAppError(error, ctx.requestId).message))
  }
}
