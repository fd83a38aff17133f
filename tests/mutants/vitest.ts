import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'

/** Tests of one file: those with one of the texts in their titles. An empty text selects all. */
type Selected = { file: string; titles: readonly string[] }

/** What became of the selected tests. `failed` is empty exactly if all passed. */
export type Outcome = { passed: string[]; failed: string[]; output: string }

/** A mutant may make a test wait for something that never happens. */
const TEST_TIMEOUT_MS = 60_000

const reportShape = z.object({
  testResults: z.array(
    z.object({
      message: z.string().default(''),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
})

/** Runs tests in a copy of the checkout, with one mutant switched on in all its processes, or none. */
export async function runSelected(
  root: string,
  { file, titles }: Selected,
  mutant?: string,
): Promise<Outcome> {
  const report = path.join(os.tmpdir(), `reelmill-mutant-${randomUUID()}.json`)
  const limits = [
    `--testTimeout=${TEST_TIMEOUT_MS}`,
    `--hookTimeout=${TEST_TIMEOUT_MS}`,
    '--bail=1',
  ]
  const args = [
    'run',
    file,
    ...(titles.includes('') ? [] : ['-t', titles.map(escaped).join('|')]),
    ...(mutant === undefined ? [] : limits),
  ]
  const output = await run(root, [...args, '--reporter=json', `--outputFile=${report}`], mutant)
  const text = await fs.readFile(report, 'utf8').catch(() => '')
  await fs.rm(report, { force: true })
  if (text === '') return { passed: [], failed: ['vitest ended without a report'], output }
  const { testResults } = reportShape.parse(JSON.parse(text))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const named = (status: string) =>
    tests.filter((one) => one.status === status).map((one) => one.fullName)
  const broken = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ message }) => `set-up: ${message}`)
  const failed = named('failed')
  return {
    passed: named('passed'),
    failed: failed.length > 0 ? failed : broken,
    output: text + output,
  }
}

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

async function run(root: string, args: readonly string[], mutant?: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [path.join(root, 'node_modules/vitest/vitest.mjs'), ...args],
    {
      cwd: root,
      env: { ...process.env, ...(mutant !== undefined && { MUTANT: mutant }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (some) => (printed += String(some)))
  await new Promise((resolve) => child.once('close', resolve))
  return printed
}
