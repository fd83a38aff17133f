/** The encodings of text files that spreadsheets and editors write, with the names people know. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (Excel: Unicode Text)',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252 (Western European)',
  'windows-1256': 'Windows-1256 (Arabic, Urdu, Persian)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  'windows-1250': 'Windows-1250 (Central European)',
  'windows-1253': 'Windows-1253 (Greek)',
  'windows-1254': 'Windows-1254 (Turkish)',
  'windows-1255': 'Windows-1255 (Hebrew)',
  'windows-874': 'Windows-874 (Thai)',
} as const
export type Encoding = keyof typeof ENCODINGS

/** `isDoubtful`: the file does not say its encoding, and another one would also give letters. */
export type Decoded = { text: string; encoding: Encoding; isDoubtful: boolean }

export const isEncoding = (name: string): name is Encoding => Object.hasOwn(ENCODINGS, name)

/**
 * Decodes a text file: as `wanted`, or as UTF-8 or UTF-16 if it is one, or else in the Windows
 * encoding whose usual letters it has most of.
 */
export function decodeText(bytes: Uint8Array, wanted?: Encoding): Decoded {
  const found = findEncoding(bytes)
  const encoding = wanted ?? found.encoding
  const text = new TextDecoder(encoding).decode(bytes)
  return { text, encoding, isDoubtful: found.isDoubtful }
}

function findEncoding(bytes: Uint8Array): Omit<Decoded, 'text'> {
  const sure = (encoding: Encoding) => ({ encoding, isDoubtful: false })
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return sure('utf-16le')
  if (first === 0xfe && second === 0xff) return sure('utf-16be')
  const zeros = zerosIn(bytes)
  if (zeros.odd > bytes.length / 5 && zeros.even === 0) return sure('utf-16le')
  if (zeros.even > bytes.length / 5 && zeros.odd === 0) return sure('utf-16be')
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return sure('utf-8')
  } catch {
    return guess(bytes)
  }
}

function zerosIn(bytes: Uint8Array): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 }
  for (const [i, byte] of bytes.entries()) if (byte === 0) zeros[i % 2 === 0 ? 'even' : 'odd']++
  return zeros
}

/** The most frequent letters of the languages that are written in an encoding. */
const USUAL: readonly [Encoding, RegExp][] = [
  ['windows-1256', /[اليمونرتبةدهكسفقپچگیھہںے]/gu],
  ['windows-1251', /[оеаинтсрвлкмдпуяыі]/gu],
  ['windows-1253', /[αοιετσνρπκςάέίόή]/gu],
  ['windows-874', /[าน่รอกเงมย้ลวดทส]/gu],
]
/** So many letters outside ASCII before the text can be taken for one of another alphabet. */
const FEWEST = 4

/** Texts of Western Europe have few letters outside ASCII, texts of other alphabets hardly any inside. */
function guess(bytes: Uint8Array): Omit<Decoded, 'text'> {
  const sample = bytes.subarray(0, 20_000)
  const high = sample.filter((byte) => byte >= 0x80).length
  const letters = sample.filter((byte) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a).length
  if (high < FEWEST || high < letters / 2) {
    return { encoding: 'windows-1252', isDoubtful: high > letters / 4 }
  }
  const scores = USUAL.map(([encoding, usual]) => {
    const text = new TextDecoder(encoding).decode(sample)
    // A byte that the encoding does not have.
    const isOther = text.includes('\uFFFD')
    return { encoding, share: isOther ? 0 : (text.match(usual)?.length ?? 0) / high }
  })
  const best = scores.reduce((one, other) => (other.share > one.share ? other : one))
  return { encoding: best.share > 0.35 ? best.encoding : 'windows-1252', isDoubtful: true }
}

/** A file that somebody uploads, and the encoding if they have chosen one. */
export type TextFile = { name: string; bytes: Uint8Array; encoding?: Encoding | undefined }

const WORKBOOKS = /\.(?:xls|xlsb|ods|numbers)$/i
const SAVE_AS_CSV =
  'This kind of workbook is not read. Save it as .xlsx or CSV first, with File, Save As or File, Download'

/** Characters that no text file contains: control characters other than white space, and U+FFFD. */
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/
const NOT_TEXT = /[^\P{Cc}\s\u0085]|\uFFFD/u

/** What to say of a file that is not wanted, or null; the most bytes, and what to say of more. */
type Wanted = { choose: string | null; most: number; tooLarge: string }

/** Reads an uploaded text file, without its byte order mark, or says what is wrong with it. */
export function readTextFile(
  { name, bytes, encoding }: TextFile,
  { choose, most, tooLarge }: Wanted,
): Decoded | { problem: string } {
  if (WORKBOOKS.test(name)) return { problem: SAVE_AS_CSV }
  if (choose !== null) return { problem: choose }
  if (bytes.length > most) return { problem: tooLarge }
  const decoded = decodeText(bytes, encoding)
  const text = decoded.text.startsWith('\uFEFF') ? decoded.text.slice(1) : decoded.text
  // A wrong choice must not look like a wrong file.
  const isOther = BINARY.test(text) || (!decoded.isDoubtful && NOT_TEXT.test(text))
  return isOther ? { problem: `${name} is not a text file` } : { ...decoded, text }
}
