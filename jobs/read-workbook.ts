import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import readSheets, { type CellValue } from 'read-excel-file/universal'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { lowerPriority } from '~/lib/lower-priority.server'
import type { WorkbookProblem, WorkbookReport } from '~/platform/workbooks/port'

// Child process that reads a workbook: takes its bytes, and writes its sheets as tab-separated text.

/** Of all parts together, unpacked. */
const MOST_UNPACKED = 30_000_000
/** Of all sheets together, in characters: more than any form takes. */
const MOST_TEXT = 2_000_000
const MOST_SHEETS = 50

class Refused extends Error {
  constructor(readonly problem: WorkbookProblem) {
    super(problem)
  }
}

/** The container of old workbooks, and of encrypted ones. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

function refuseOthers(bytes: Buffer): void {
  if (bytes.length === 0) throw new Refused('empty')
  if (bytes.subarray(0, COMPOUND_FILE.length).equals(COMPOUND_FILE))
    throw new Refused(bytes.includes(ENCRYPTED) ? 'protected' : 'old')
  if (!bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) throw new Refused('other')
}

const openZip = (bytes: Buffer) =>
  new Promise<ZipFile>((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    )
  })

const contentOf = (zip: ZipFile, entry: Entry) =>
  new Promise<Buffer>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(buffer(stream))))
  })

const isPart = ({ fileName }: Entry) => /\.xml(?:\.rels)?$/.test(fileName)
const MERGED = /<(?:\w+:)?mergeCell\s/

/**
 * Unpacks every part that will be read, once, so that sizes and checksums are known to be as said. Returns
 * whether cells are merged. Throws Refused.
 */
async function checkParts(bytes: Buffer): Promise<boolean> {
  const zip = await openZip(bytes)
  const found = { unpacked: 0, isWorkbook: false, hasMerged: false }
  await new Promise<void>((resolve, reject) => {
    const check = async (entry: Entry) => {
      if (entry.fileName === 'xl/workbook.xml') found.isWorkbook = true
      if (!isPart(entry)) return
      found.unpacked += entry.uncompressedSize
      if (found.unpacked > MOST_UNPACKED) throw new Refused('large')
      const content = await contentOf(zip, entry)
      if (crc32(content) !== entry.crc32) throw new Refused('broken')
      found.hasMerged ||= entry.fileName.includes('worksheets/') && MERGED.test(content.toString())
    }
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => void check(entry).then(() => zip.readEntry(), reject))
    zip.readEntry()
  })
  if (!found.isWorkbook) throw new Refused('other')
  return found.hasMerged
}

/** Without an exponent, which would spoil a phone number, and with as many digits as Excel has. */
const numberText = (digits: string): string =>
  Number(Number(digits).toPrecision(15)).toLocaleString('en-US', {
    useGrouping: false,
    maximumFractionDigits: 20,
  })

const DAY_MS = 86_400_000

/** A day, a day and a time, or a time alone, which is of the day before all. */
function dateText(date: Date): string {
  const rounded = new Date(Math.round(date.getTime() / 1000) * 1000)
  const [day = '', clock = ''] = rounded.toISOString().split('T')
  const time = clock.slice(0, rounded.getUTCSeconds() === 0 ? 5 : 8)
  if (rounded.getUTCFullYear() < 1900) return time
  return rounded.getTime() % DAY_MS === 0 ? day : `${day} ${time}`
}

type Cell = CellValue | null

function cellText(cell: Cell): string {
  const text =
    cell === null
      ? ''
      : cell instanceof Date
        ? dateText(cell)
        : typeof cell === 'boolean'
          ? String(cell).toUpperCase()
          : String(cell)
  return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes the rows that are not empty. */
function sheetText(rows: readonly (readonly Cell[])[]): string {
  const lines: string[] = []
  let length = 0
  for (const cells of rows) {
    const line = cells.map(cellText).join('\t')
    if (line.trim() === '') continue
    length += line.length
    if (length > MOST_TEXT) throw new Refused('large')
    lines.push(line)
  }
  return lines.join('\n')
}

async function read(bytes: Buffer): Promise<WorkbookReport> {
  refuseOthers(bytes)
  const hasMerged = await checkParts(bytes)
  const found = await readSheets(new Blob([new Uint8Array(bytes)]), { parseNumber: numberText })
  const sheets = found
    .map(({ sheet, data }) => ({ name: sheet, text: sheetText(data) }))
    .filter(({ text }) => text !== '')
    .slice(0, MOST_SHEETS)
  if (sheets.length === 0) throw new Refused('empty')
  if (sheets.reduce((sum, { text }) => sum + text.length, 0) > MOST_TEXT) throw new Refused('large')
  return { sheets, hasMerged }
}

// The reader makes its steps smaller while they take long, and nests them: on a busy machine a good workbook
// would exceed the stack. While the clock stands its steps grow.
Date.now = () => 0
lowerPriority()
const report = await read(await buffer(process.stdin)).catch((error: unknown): WorkbookReport => ({
  problem: error instanceof Refused ? error.problem : 'broken',
}))
process.stdout.write(JSON.stringify(report))
