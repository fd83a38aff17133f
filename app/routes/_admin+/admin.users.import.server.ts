import { nameForms } from '~/domain/names/name-forms.server'
import { notesOf } from '~/domain/administration/imports/import-notes'
import {
  parseImport,
  NO_DATA,
  TOO_MANY_USERS,
  type ImportLine,
} from '~/domain/administration/imports/import-rules'
import { chatNumberOf } from '~/domain/administration/customers/customer-card.server'
import { PANELS_FAILED } from '~/lib/failure-titles'
import { checkImport, importUsers } from '~/domain/administration/imports/import-users.server'
import { makeUserPasswordLinks } from '~/domain/administration/users/password-links.server'
import { readTicks } from '~/domain/administration/ticks'
import { USER_RULES } from '~/domain/administration/rules'
import type { ImportedLine, ImportReport, ImportResult } from '~/domain/administration/types'
import { findUserIds, listManagedUsers } from '~/domain/administration/users/users-query.server'
import { getChatTexts } from '~/domain/business/settings.server'
import type { AdminCtx } from '~/domain/context'
import { SCRIPTED } from '~/lib/carried'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { decodeText } from '~/lib/decode-text.server'
import { isCleanText, linesOf, withoutLines } from '~/lib/text'
import {
  keptText,
  messageOfFailure,
  problem,
  type PanelForm,
  type PanelToast,
} from '~/http/actions/panels.server'
import { textOf } from '~/http/forms/form-data.server'
import { addressOf } from '~/http/session/credentials-once.server'

const LARGEST_FILE = 500_000

/**
 * Adds the text of a file to the box. Nothing is checked yet. Returns the text for a page with
 * scripts, or the whole box for one without.
 */
async function addFile(data: FormData): Promise<ImportReport> {
  const file = data.get('file')
  const report = (toast: PanelToast, text = ''): ImportReport => {
    const all = [textOf(data, 'text').trimEnd(), text].filter((one) => one !== '').join('\n')
    const given = data.has(SCRIPTED) ? { fileText: text } : { text: all }
    return { results: [], isCheck: false, toast, ...given }
  }
  const refused = (description: string) => report(problem('File not read', description))
  if (!(file instanceof File) || file.size === 0)
    return refused('Choose a .txt, .csv or .tsv file.')
  if (/\.xlsx?$/i.test(file.name))
    return refused(
      'This is an Excel workbook. Save it as CSV (File, Save As, CSV), and choose that.',
    )
  if (file.size > LARGEST_FILE) return refused('The file is larger than 500 kB.')
  const { text } = decodeText(new Uint8Array(await file.arrayBuffer()))
  const isText = isCleanText(text) && !/[^\P{Cc}\s\u0085]|\uFFFD/u.test(text)
  if (!isText) return refused(`${file.name} is not a text file.`)
  const lines = linesOf(text.replace(/^\uFEFF/, ''))
    .join('\n')
    .trim()
  const toast = { kind: 'success', title: 'File added', description: 'Check it before you import.' }
  return report({ ...toast, kind: 'success' }, lines)
}

/**
 * Checks or imports the pasted text. Returns one result per line. A file that was chosen is added to the
 * text before a check; an import takes only what stands in the box.
 */
export async function runImport(ctx: AdminCtx, form: PanelForm): Promise<ImportReport> {
  const { data, refusal } = form
  const mode = textOf(data, 'mode')
  if (refusal) return importText(ctx, form)
  if (mode === 'file') return addFile(data)
  const file = data.get('file')
  if (!(file instanceof File) || file.size === 0) return importText(ctx, form)
  const changesRoles = data.get('changeRoles') === 'on'
  if (mode !== 'check')
    return {
      results: [],
      isCheck: false,
      changesRoles,
      toast: problem('File not added', 'Press Check: it adds the file to the box and looks at it.'),
      ...keptText(data),
    }
  const added = await addFile(data)
  if (added.toast.kind === 'error') return { ...added, changesRoles }
  const { text, fileText } = added
  data.set('text', text ?? [textOf(data, 'text').trimEnd(), fileText].filter(Boolean).join('\n'))
  return { ...(await importText(ctx, form)), ...(fileText !== undefined && { fileText }) }
}

async function importText(ctx: AdminCtx, { data, refusal }: PanelForm): Promise<ImportReport> {
  const isCheck = textOf(data, 'mode') === 'check'
  const changesRoles = data.get('changeRoles') === 'on'
  const ticks = readTicks((name) => data.get(name) === 'on')
  const lines = parseImport(textOf(data, 'text'))
  const refused = (toast: PanelToast): ImportReport => ({
    results: [],
    isCheck,
    toast,
    changesRoles,
    ticks,
    ...keptText(data),
  })
  if (refusal) return refused(refusal)
  if (lines.length === 0) return refused(problem(NO_DATA, 'Paste at least one user.'))
  if (lines.length > USER_RULES.importAtOnce)
    return refused(problem('Too Many Users', TOO_MANY_USERS))
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
    const imported = lines.flatMap(({ line }, i) => (results[i]?.success === true ? [line] : []))
    const left = () => withoutLines(textOf(data, 'text'), imported)
    const rest = data.has(SCRIPTED) ? { imported } : { text: left() }
    const { changeId, surprises } = made
    return {
      results: shown,
      isCheck,
      toast,
      changesRoles,
      surprises,
      ticks,
      ...(changeId !== null && { changeId }),
      ...(isCheck ? keptText(data) : rest),
    }
  } catch (error) {
    return refused(problem(PANELS_FAILED['import-users'], messageOfFailure(ctx, error)))
  }
}

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

function verdict(
  results: readonly ImportResult[],
  { isCheck, badLines }: { isCheck: boolean; badLines: readonly string[] },
): PanelToast {
  const good = results.filter(({ success }) => success).length
  const bad = results.length - good
  const noted = results.filter(({ notes }) => notes).length
  const number = (wanted: ImportResult['change']) =>
    results.filter(({ change }) => change === wanted).length
  const [created, updated, same] = [number('create'), number('update'), number('same')]
  const parts = [
    ...(created > 0 ? [`${created} new`] : []),
    ...(updated > 0 ? [`${updated} changed`] : []),
    ...(same > 0 ? [`${same} the same`] : []),
  ]
  const sorts = good === created || good === 0 ? '' : ` (${parts.join(', ')})`
  const counts = [
    isCheck
      ? `${good} would succeed${sorts}, ${bad} would fail.`
      : `${good} succeeded${sorts}, ${bad} failed.`,
    ...(noted > 0 ? [`${plural(noted, 'line')} with values not used as typed.`] : []),
  ].join(' ')
  if (badLines.length > 0) return problem('Format Errors', `${badLines.join('. ')}. ${counts}`)
  const title = isCheck ? 'Import checked' : 'Import complete'
  return { kind: good === 0 ? 'error' : 'success', title, description: counts }
}
