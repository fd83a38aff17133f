import fs from 'node:fs/promises'
import path from 'node:path'
import { blocksOf, type Block } from '~/lib/marked-text'

/** A section of the runbook: its heading, and its text. */
type RunbookSection = { title: string; blocks: Block[] }

/** Reads the runbook that the build contains (docs/operations/runbook.md), without its title. */
export async function readRunbook(): Promise<RunbookSection[]> {
  // While developing nothing is built: the document itself is there.
  const markdown = await fs
    .readFile(path.resolve('build', 'runbook.md'), 'utf8')
    .catch(() => fs.readFile(path.resolve('docs', 'operations', 'runbook.md'), 'utf8'))
  const [opening = '', ...sections] = markdown.split(/^## /m)
  return [
    { title: 'Runbook', blocks: blocksOf(opening.replace(/^# .*$/m, '')) },
    ...sections.map((section) => {
      const end = section.indexOf('\n')
      return { title: section.slice(0, end).trim(), blocks: blocksOf(section.slice(end)) }
    }),
  ]
}
