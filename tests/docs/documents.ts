import fs from 'node:fs'
import path from 'node:path'

const FOLDERS = ['.ci', 'app', 'bench', 'docs', 'jobs', 'prisma', 'renderer', 'scripts', 'tests']
const TEXT = /\.(?:md|ts|tsx|mjs|cjs|js|sql|prisma|css|ya?ml|cfg|conf|service|example)$|file$/

/** A file of the repository: its path from the root, with slashes, and its text. */
export type SourceFile = { file: string; text: string }

/** Returns every handwritten text file: code, tests, migrations, documents, settings. */
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

/** Returns the Markdown documents among the files. */
export const documentsOf = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(({ file }) => file.endsWith('.md'))

/** Returns the text of a document. Throws if it does not exist. */
export const readDocument = (file: string): string => fs.readFileSync(file, 'utf8')

/**
 * Returns the ids that a document explains: the first words of its tables' rows, and bold ones at the
 * beginning of its lists' items.
 */
export const rowIds = (text: string): string[] =>
  [...text.matchAll(/^(?:\| *|- \*\*)([A-Z]-?\d+)\b/gm)].map(([, id = '']) => id)

/** Returns the anchors of a document: GitHub's names of its headings. */
export const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
