import { z } from 'zod'

/** Why a workbook cannot be read. */
const WORKBOOK_PROBLEMS = ['protected', 'old', 'other', 'broken', 'large', 'empty'] as const
export type WorkbookProblem = (typeof WORKBOOK_PROBLEMS)[number]

/** What the child process that reads a workbook reports. */
export const workbookReport = z.union([
  z.object({
    /** Those with content, in their order, as tab-separated text. */
    sheets: z.array(z.object({ name: z.string(), text: z.string() })).min(1),
    /** Whether cells are merged. Their value is in the first one. */
    hasMerged: z.boolean(),
  }),
  z.object({ problem: z.enum(WORKBOOK_PROBLEMS) }),
])
export type WorkbookReport = z.output<typeof workbookReport>

/**
 * Reads the sheets of an Excel workbook (.xlsx): values, not formulas. The bytes may be anything; what
 * cannot be read is a result.
 */
export type ReadWorkbook = (bytes: Uint8Array) => Promise<WorkbookReport>
