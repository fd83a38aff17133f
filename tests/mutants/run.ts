// `npm run test:mutants`: writes all mutants of `list.ts` into a copy of the checkout, builds the copy
// once, and runs for each mutant the tests that ought to see it. `-- ID …` runs only some of them.
import os from 'node:os'
import { limitConcurrency } from '../../app/lib/limit-concurrency.server'
import { reasonOf } from '../../scripts/lib/reason.mjs'
import { startSharedCluster } from '../support/shared-cluster'
import { makeCopy } from './copy'
import { MUTANTS, type Mutant } from './list'
import { runSelected, type Outcome } from './vitest'

const MOST_SURVIVORS = 6

const wanted = process.argv.slice(2)
const unknown = wanted.filter((id) => !MUTANTS.some((mutant) => mutant.id === id))
if (unknown.length > 0) throw new Error(`no such mutant: ${unknown.join(', ')}`)
const chosen = MUTANTS.filter(({ id }) => wanted.length === 0 || wanted.includes(id))

const startedAt = performance.now()
const say = (line: string) => process.stdout.write(`${line}\n`)
say('Building a copy with all mutants …')
const copy = await makeCopy(MUTANTS)
// All runs share one PostgreSQL and its migrated template.
const tearDown = await startSharedCluster()
const leave = async (code: number) => {
  await tearDown()
  await copy.remove()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(1))
try {
  say('Running the tests without a mutant …')
  await checkTests()
  await leave(report(await tryAll()) ? 1 : 0)
} catch (error) {
  say(reasonOf(error))
  await leave(1)
}

/** Throws if a test that a mutant names fails without it, or does not exist. */
async function checkTests(): Promise<void> {
  const files = new Set(chosen.map(({ tests }) => tests.file))
  const limited = limitConcurrency(os.availableParallelism())
  const problems: string[] = []
  await Promise.all(
    [...files].map((file) =>
      limited(async () => {
        const mutants = chosen.filter(({ tests }) => tests.file === file)
        const titles = mutants.map(({ tests }) => tests.title ?? '')
        const outcome = await runSelected(copy.root, { file, titles })
        if (outcome.failed.length > 0)
          problems.push(`${file} fails without a mutant: ${outcome.failed.join(', ')}`)
        for (const { id, tests } of mutants) {
          const isFound = outcome.passed.some((name) => name.includes(tests.title ?? ''))
          if (!isFound) problems.push(`${id}: no test "${tests.title ?? ''}" of ${file} passes`)
        }
      }),
    ),
  )
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

type Tried = { mutant: Mutant; outcome: Outcome }

async function tryAll(): Promise<Tried[]> {
  const limited = limitConcurrency(os.availableParallelism())
  return Promise.all(
    chosen.map((mutant) =>
      limited(async () => {
        const { file, title = '' } = mutant.tests
        const outcome = await runSelected(copy.root, { file, titles: [title] }, mutant.id)
        const [killer] = outcome.failed
        say(killer === undefined ? `SURVIVED ${mutant.id}` : `killed   ${mutant.id}: ${killer}`)
        return { mutant, outcome }
      }),
    ),
  )
}

/** Prints the survivors and the counts. Returns whether there are too many or unexpected ones. */
function report(tried: readonly Tried[]): boolean {
  const survivors = tried.flatMap(({ mutant, outcome }) =>
    outcome.failed.length === 0 ? [mutant] : [],
  )
  for (const { id, file, survives } of survivors) {
    say(`\n${id} (${file})\n  ${survives ?? 'No test sees it, and the list gives no reason.'}`)
  }
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  const killed = tried.length - survivors.length
  say(
    `\n${tried.length} mutants, ${killed} killed, ${survivors.length} survived (${minutes} minutes)`,
  )
  return (
    survivors.length > MOST_SURVIVORS || survivors.some(({ survives }) => survives === undefined)
  )
}
