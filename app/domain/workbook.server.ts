import type { TextFile } from '~/lib/text-file.server'
import type { WorkbookProblem, WorkbookReport } from '~/platform/workbooks/port'
import type { Deps } from './context'

type Sheets = Extract<WorkbookReport, { sheets: unknown }>

const PROBLEMS: Record<WorkbookProblem, string> = {
  protected: 'is protected with a password. Save it without one',
  old: 'is a workbook of an old kind. Save it as .xlsx or as CSV',
  other: 'is not an Excel workbook',
  broken: 'is damaged and cannot be read. Save it again, or as CSV',
  large:
    'has too many cells, or some far from the others. Copy the rows that you need into a new workbook',
  empty: 'is empty',
}

/** Whether the name of a file is that of a workbook that is read as it is. */
export const isWorkbook = (name: string): boolean => /\.xls[xm]$/i.test(name)

/**
 * Reads the sheets of an uploaded workbook as tab-separated texts of at most `most` bytes, or says why not.
 */
export async function readWorkbookFile(
  { readWorkbook }: Pick<Deps, 'readWorkbook'>,
  { name, bytes }: TextFile,
  { most, tooLarge }: { most: number; tooLarge: string },
): Promise<Sheets | { problem: string }> {
  if (bytes.length > most) return { problem: tooLarge }
  const report = await readWorkbook(bytes)
  const refused = (problem: WorkbookProblem) => ({ problem: `${name} ${PROBLEMS[problem]}` })
  if ('problem' in report) return refused(report.problem)
  const size = report.sheets.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  return size > most ? refused('large') : report
}

/** Said of a workbook with merged cells. */
export const MERGED = 'The workbook has merged cells: their text is in the first one of each.'
