import fs from 'node:fs'
import path from 'node:path'

const FOLDERS = ['.ci', 'app', 'bench', 'docs', 'jobs', 'prisma', 'scripts', 'tests']
const TEXT = /\.(?:md|ts|tsx|mjs|cjs|js|sql|prisma|css|ya?ml|cfg|conf|service|example)$|file$/

/** A file of the repository: its path from the root, with slashes, and its text. */
export type SourceFile = { file: string; text: string }

/** Every text file that people write: code, tests, migrations, documents, settings. */
export function readRepository(): SourceFile[] {
  const names = fs
    .readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
  const inFolders = FOLDERS.filter((folder) => fs.existsSync(folder)).flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  )
  return [...names, ...inFolders]
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => TEXT.test(file))
    .map((file) => ({ file, text: fs.readFileSync(file, 'utf8') }))
}

/** The Markdown documents among them. */
export const documentsOf = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(({ file }) => file.endsWith('.md'))

/** The text of one document. Throws when there is none. */
export const readDocument = (file: string): string => fs.readFileSync(file, 'utf8')

/** First words of the first cells of a document's tables: where families of rules list their ids. */
export const rowIds = (text: string): string[] =>
  [...text.matchAll(/^\| *([A-Z]-?\d+)\b/gm)].map(([, id = '']) => id)

/** What a `#…` of a link may name: GitHub's names for the headings of a document. */
export const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
