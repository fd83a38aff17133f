import { crc32, deflateRawSync } from 'node:zlib'

/** Packs files into a ZIP archive. `crc` of a file is written in place of its checksum. */
export function packZip(files: Record<string, string | Buffer>, crc?: number): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc ?? crc32(content), 0)
    sizes.writeUInt32LE(packed.length, 4)
    sizes.writeUInt32LE(content.length, 8)
    const names = Buffer.alloc(4)
    names.writeUInt16LE(name.length, 0)
    // Version 2.0, no flags, deflated, on the first day of all.
    const common = Buffer.from('14000000080000002100', 'hex')
    const local = [Buffer.from('504b0304', 'hex'), common, sizes, names, Buffer.from(name), packed]
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.from('504b01021400', 'hex'),
      ...[common, sizes, names, place, Buffer.from(name)],
    )
    parts.push(...local)
    offset += local.reduce((sum, { length }) => sum + length, 0)
  }
  const end = Buffer.alloc(22)
  end.write('504b0506', 0, 'hex')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  const list = Buffer.concat(directory)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Returns the parts of a workbook, from its sheets: the XML of their rows, and what follows it. */
export function workbookParts(sheets: Record<string, string>, after = ''): Record<string, string> {
  const names = Object.keys(sheets)
  const each = (write: (name: string, n: number) => string) =>
    names.map((name, i) => write(name, i + 1)).join('')
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'xl/workbook.xml': `${HEAD}<workbook ${MAIN} xmlns:r="${LINKS}"><sheets>${each((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each((_, n) => `<Relationship Id="rId${n}" Type="${LINKS}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}</Relationships>`,
    // 1: a day. 2: a day and a time.
    'xl/styles.xml': `${HEAD}<styleSheet ${MAIN}><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `${HEAD}<worksheet ${MAIN}><sheetData>${sheets[name]}</sheetData>${after}</worksheet>`,
      ]),
    ),
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Returns the XML of rows of texts. */
export const textRows = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(
      (cells, y) =>
        `<row r="${y + 1}">${cells
          .map(
            (cell, x) =>
              `<c r="${String.fromCharCode(65 + x)}${y + 1}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`,
          )
          .join('')}</row>`,
    )
    .join('')

/** Returns the bytes of a workbook of texts. */
export const workbookOf = (
  sheets: Record<string, readonly (readonly string[])[]>,
  after?: string,
): Buffer =>
  packZip(
    workbookParts(
      Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, textRows(rows)])),
      after,
    ),
  )
