import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'

/** Tests of one file: those with one of the texts in their titles. An empty text selects all. */
type Selected = { file: string; titles: readonly string[] }

/** The titles of the tests that passed, and titles and reasons of failures: none if all passed. */
export type Outcome = { passed: string[]; failed: string[] }

/** A mutant may make a test wait for something that never happens. */
const TEST_TIMEOUT_MS = 60_000

const reportShape = z.object({
  testResults: z.array(
    z.object({
      message: z.string().default(''),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
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
  if (text === '') return { passed: [], failed: [`no report: ${output}`] }
  const { testResults } = reportShape.parse(JSON.parse(text))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName)
  const failed = tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages.join(' '))}`)
  const brokenFiles = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ message }) => `before or after the tests: ${firstLine(message)}`)
  return { passed, failed: failed.length > 0 ? failed : brokenFiles }
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, 200) ?? ''

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
