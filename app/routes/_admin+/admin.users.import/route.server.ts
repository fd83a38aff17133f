import { nameForms } from '~/domain/names/name-forms.server'
import { notesOf } from '~/domain/administration/imports/import-notes'
import { NO_DATA, TOO_MANY_USERS } from '~/domain/administration/imports/import-rules'
import {
  parseImport,
  type ChosenColumns,
  type ImportLine,
} from '~/domain/administration/imports/import-table.server'
import { COLUMN_NAMES, type ColumnName } from '~/domain/administration/account-fields'
import { chatNumberOf } from '~/domain/administration/customers/customer-card.server'
import { checkImport, importUsers } from '~/domain/administration/imports/import-users.server'
import { makeUserPasswordLinks } from '~/domain/administration/users/password-links.server'
import { readTicks } from '~/domain/administration/ticks'
import { USER_RULES } from '~/domain/administration/rules'
import type { ImportedLine, ImportReport, ImportResult } from '~/domain/administration/types'
import { findUserIds, listManagedUsers } from '~/domain/administration/users/users-query.server'
import { getChatTexts } from '~/domain/business/settings.server'
import type { AdminCtx } from '~/domain/context'
import { isWorkbook, MERGED, readWorkbookFile } from '~/domain/workbook.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { linesOf, withoutLines } from '~/lib/text'
import { readTextFile } from '~/lib/text-file.server'
import {
  keptText,
  messageOfFailure,
  problem,
  type PanelForm,
  type PanelToast,
} from '~/http/actions/panels.server'
import { fileOf, filesOf, textOf } from '~/http/forms/form-data.server'
import { addressOf } from '~/http/session/credentials-once.server'

const LARGEST_FILE = 500_000

const LIMITS = { most: LARGEST_FILE, tooLarge: 'The file is larger than 500 kB' }

type ChosenFile = { text: string; note?: PanelToast | null }

/** Returns the text of the file that was chosen, or why it is not read. */
async function readChosenFile(
  ctx: AdminCtx,
  data: FormData,
): Promise<ChosenFile | { problem: string }> {
  const file = await fileOf(data, 'file')
  const choose = file.bytes.length === 0 ? 'The file is empty' : null
  if (!isWorkbook(file.name) || choose !== null) return readTextFile(file, { choose, ...LIMITS })
  const read = await readWorkbookFile(ctx, file, LIMITS)
  if ('problem' in read) return read
  const [first, ...others] = read.sheets
  return { text: first?.text ?? '', note: noteOf(others.length, read.hasMerged) }
}

/** What to know of a workbook of which the first sheet was taken. */
function noteOf(others: number, hasMerged: boolean): PanelToast | null {
  const more = `The first sheet was added, ${plural(others, 'other')} not. To add another one, put it first in the workbook.`
  const description = [...(others > 0 ? [more] : []), ...(hasMerged ? [MERGED] : [])].join(' ')
  return description === '' ? null : { kind: 'info', title: 'File added', description }
}

/**
 * Checks or imports the pasted text. Returns one result per line. A file that was chosen is added to the
 * text before a check; an import takes only what stands in the box.
 */
export async function runImport(ctx: AdminCtx, form: PanelForm): Promise<ImportReport> {
  const { data, refusal } = form
  if (refusal || filesOf(data, 'file').length === 0) return importText(ctx, form)
  const isCheck = textOf(data, 'mode') === 'check'
  const changesRoles = data.get('changeRoles') === 'on'
  const refused = (description: string): ImportReport => {
    const toast = problem('File not added', description)
    return { results: [], isCheck, changesRoles, toast, ...keptText(data) }
  }
  if (!isCheck) return refused('Press Check: it adds the file to the box and looks at it.')
  const file = await readChosenFile(ctx, data)
  if ('problem' in file) return refused(`${file.problem}.`)
  const fileText = linesOf(file.text).join('\n').trim()
  const box = [textOf(data, 'text').trimEnd(), fileText].filter((one) => one !== '')
  data.set('text', box.join('\n'))
  const report = await importText(ctx, form)
  return { ...report, toast: report.toast ?? file.note ?? null, fileText }
}

/** What the person says that columns contain, by heading. */
function chosenColumns(data: FormData): ChosenColumns {
  const columns = data.getAll('column')
  return new Map(
    data.getAll('heading').flatMap((heading, i) => {
      const column = COLUMN_NAMES.find((name) => name === columns[i]) ?? null
      return typeof heading === 'string' ? [[heading, column] as const] : []
    }),
  )
}

async function importText(ctx: AdminCtx, { data, refusal }: PanelForm): Promise<ImportReport> {
  const isCheck = textOf(data, 'mode') === 'check'
  const changesRoles = data.get('changeRoles') === 'on'
  const ticks = readTicks((name) => data.get(name) === 'on')
  const chosen = chosenColumns(data)
  const { lines, headings } = await parseImport(textOf(data, 'text'), chosen)
  const refused = (toast: PanelToast | null): ImportReport => ({
    results: [],
    isCheck,
    toast,
    changesRoles,
    ticks,
    headings,
    ...keptText(data),
  })
  if (refusal) return refused(refusal)
  if (lines.length === 0) return refused(problem(NO_DATA, 'Paste at least one user.'))
  if (lines.length > USER_RULES.importAtOnce)
    return refused(problem('Too Many Users', TOO_MANY_USERS))
  const isNameless = headings.length > 0 && !headings.some(({ column }) => isName(column))
  const isUnasked = headings.some(({ text, column }) => column === null && !chosen.has(text))
  if (isNameless || (isUnasked && !isCheck)) return refused(null)
  const stored = (name: string) => nameForms(name, ctx.settings.phoneCountries).stored
  const entries = lines.flatMap((line) =>
    'entry' in line ? [{ ...line.entry, notes: notesOf(line, stored) }] : [],
  )
  try {
    const rights = { changesRoles, ticks }
    const made = await (isCheck ? checkImport : importUsers)(ctx, entries, rights)
    const results = resultsByLine(lines, made.results)
    const links = isCheck ? new Map<string, SetPassword>() : await linksFor(ctx, results)
    const badLines = lines.flatMap((line) => ('problem' in line ? [line.problem] : []))
    const toast = verdict(results, { isCheck, badLines })
    const shown = results.map((result) => ({ ...result, ...links.get(result.username) }))
    // Lines that were not imported stay in the box, so that the administrator can correct them
    // (decision 20).
    const imported = lines.flatMap(({ line, lines: taken }, i) =>
      results[i]?.success === true ? Array.from({ length: taken }, (_, more) => line + more) : [],
    )
    const rest = { imported, text: withoutLines(textOf(data, 'text'), imported) }
    const { changeId, surprises } = made
    return {
      results: shown,
      isCheck,
      toast,
      changesRoles,
      surprises,
      ticks,
      headings,
      ...(changeId !== null && { changeId }),
      ...(isCheck ? keptText(data) : rest),
    }
  } catch (error) {
    return refused(problem('Bulk Import Failed', messageOfFailure(ctx, error)))
  }
}

const isName = (column: ColumnName | null) => column === 'username' || column === 'phone'

/** Returns a result for each line, also for those that are no entries. */
function resultsByLine(
  lines: readonly ImportLine[],
  made: readonly ImportResult[],
): ImportedLine[] {
  const verdicts = made[Symbol.iterator]()
  return lines.flatMap((one): ImportedLine[] => {
    const { line } = one
    if ('problem' in one) return [{ line, username: '', success: false, error: one.problem }]
    const next = verdicts.next()
    return next.done ? [] : [{ line, ...next.value }]
  })
}

type SetPassword = Pick<ImportedLine, 'passwordLink' | 'chat'>

/** Returns password links and their chat, by username, for the imported users who cannot sign in yet. */
async function linksFor(
  ctx: AdminCtx,
  results: readonly ImportResult[],
): Promise<Map<string, SetPassword>> {
  const names = results.flatMap(({ username, success, change }) =>
    success && change !== 'same' ? [username] : [],
  )
  const links = await makeUserPasswordLinks(ctx, await findUserIds(ctx, names))
  const ids = links.map(({ userId }) => userId)
  const [users, texts] = await Promise.all([listManagedUsers(ctx, ids), getChatTexts(ctx)])
  const languages = texts.map(({ name }) => name)
  const { phoneCountries } = ctx.settings
  const reached = new Set(
    users.flatMap((user) => (chatNumberOf(user, phoneCountries) === null ? [] : [user.id])),
  )
  return new Map(
    links.map(({ userId, username, secret }) => {
      const passwordLink = addressOf(paths.setPassword(secret))
      const chat = reached.has(userId) ? { chat: { id: userId, languages } } : {}
      return [username, { passwordLink, ...chat }]
    }),
  )
}

/** The message beside the results, whose first line gives the counts of a check. */
function verdict(
  results: readonly ImportResult[],
  { isCheck, badLines }: { isCheck: boolean; badLines: readonly string[] },
): PanelToast | null {
  if (badLines.length > 0) return problem('Format Errors', `${badLines.join('. ')}.`)
  if (isCheck) return null
  const good = results.filter(({ success }) => success).length
  const failed = results.length - good
  const description = `${good} succeeded, ${failed} failed.`
  // Green would hide what failed.
  const kind = good === 0 ? 'error' : failed > 0 ? 'info' : 'success'
  const title = failed > 0 ? 'Import incomplete' : 'Import complete'
  return { kind, title, description }
}
