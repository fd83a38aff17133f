// What `npm test` and `npm run test:slow` have in common: they run phases one after the other, all of them
// also after a failure, and end with the failures, their logs and reasons, and the counts.
import fs from 'node:fs/promises'
import path from 'node:path'
import { findChromium, missingChromium } from './chromium.mjs'
import { canInstall, install, which } from './debian.mjs'
import { reasonOf } from './reason.mjs'
import { root } from './root.mjs'
import { runTests, runTool } from './tools.mjs'

const RESULTS = path.join(root, 'test-results')
const VITEST = 'vitest.json'
const BROWSER = 'e2e.json'
const SOAK = 'soak/verdict.json'
/** How many seconds `npm test` took. */
const SECONDS = 'seconds.json'
/** How the logs start that a failed test has attached (tests/support/last-lines.ts). */
const LOG = 'last lines of'
/** In characters. */
const LONGEST_LINE = 400

/** @typedef {{ title: string, reason: string }} Failure */
/** @typedef {{ passed: number, failures: Failure[], skipped: Failure[] }} Results */
/**
 * @typedef {{ title: string, run: () => Promise<unknown>, results?: () => Promise<Results> }} Part
 *   a program that runs tests; `results` reads what it has written
 */

/**
 * Runs the unit and integration tests whose files contain one of the names, or all, and of these with `shard`
 * one part, such as 2/5.
 *
 * @param {string[]} names @param {Record<string, string>} env @param {string} [shard] @returns {Part}
 */
export const vitestPhase = (names, env, shard = '1/1') => ({
  title: 'vitest',
  run: () =>
    runTool(
      'vitest',
      [
        // Each suite leaves out tests, sometimes all of a `describe` (tests/support/slow.ts).
        ...['run', ...names, '--passWithNoTests', '--reporter=default', '--reporter=json'],
        `--outputFile.json=test-results/${VITEST}`,
        `--shard=${shard}`,
      ],
      { ...process.env, ...env },
    ),
  results: readVitest,
})

/**
 * Returns names of the files that `npm run test:slow` runs: the slow ones, the trials, and those of which
 * `npm test` leaves some tests out (tests/support/slow.ts, tests/support/acts/pairs.ts), which it runs.
 */
export async function slowFiles() {
  const names = await fs.readdir(path.join(root, 'tests'), { recursive: true })
  const files = names.map((name) => `tests/${name}`).filter((name) => name.endsWith('.test.ts'))
  const texts = await Promise.all(files.map((file) => fs.readFile(path.join(root, file), 'utf8')))
  const mixed = files.filter((_, i) => /\b(?:slowTest|testPairs)\b/.test(texts[i] ?? ''))
  return ['.slow.test.', '.trials.test.', ...mixed]
}

/**
 * Runs the browser tests, or with `shard` one part.
 *
 * @param {Record<string, string>} env @param {string} [shard] @returns {Part}
 */
export const browserPhase = (env, shard = '1/1') => ({
  title: 'browser',
  run: async () =>
    runTool('playwright', ['test', `--shard=${shard}`], {
      ...process.env,
      ...env,
      CHROMIUM_PATH: await findChromium(),
    }),
  results: readBrowser,
})

/**
 * Runs a soak, whose random choices the seed repeats.
 *
 * @param {string} minutes @param {string} seed @returns {Part}
 */
export const soakPhase = (minutes, seed) => ({
  title: `soak (SOAK_SEED=${seed})`,
  run: () => runTool('tsx', ['tests/soak/run.ts', '--minutes', minutes, '--seed', seed]),
  results: async () => {
    const { broken } = await read(SOAK)
    const failures = broken.map((/** @type {{ what: string, cases: string[] }} */ rule) => ({
      title: `soak (SOAK_SEED=${seed}) > ${rule.what}`,
      reason: rule.cases.join('\n'),
    }))
    return { passed: failures.length === 0 ? 1 : 0, failures, skipped: [] }
  },
})

/**
 * Installs, builds and runs all phases; the parts of a phase at the same time, and those of a list one
 * after the other. Prints the results and exits with code 1 if anything has failed.
 *
 * @param {{ title: string, parts: (Part | Part[])[] }[]} phases
 * @param {{ notesTime?: boolean }} [options] `notesTime` keeps for `secondsOfTest` how long it took
 */
export async function runPhases(phases, { notesTime = false } = {}) {
  const startedAt = Date.now()
  await runTests(async () => {
    await checkJava()
    await fs.rm(RESULTS, { recursive: true, force: true })
    await fs.mkdir(RESULTS)
    /** @type {Results} */
    const all = { passed: 0, failures: [], skipped: [] }
    for (const { title, parts } of phases) {
      process.stdout.write(`\n== ${title}\n`)
      const phaseAt = Date.now()
      const results = await Promise.all(parts.map((part) => resultsInTurn([part].flat())))
      for (const part of results.flat()) {
        all.passed += part.passed
        all.failures.push(...part.failures)
        all.skipped.push(...part.skipped)
      }
      process.stdout.write(`   ${title}: ${Math.round((Date.now() - phaseAt) / 1000)} s\n`)
    }
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    if (notesTime) await fs.writeFile(path.join(RESULTS, SECONDS), JSON.stringify(seconds))
    report(all, seconds)
  }, installPrograms)
}

/**
 * Returns how many seconds `npm test` took in this folder, if it was the last test command; otherwise null.
 *
 * @returns {Promise<number | null>}
 */
export const secondsOfTest = () => read(SECONDS).catch(() => null)

/**
 * Installs the programs that the tests need, where it may. A program that is missing afterwards is
 * reported where it is needed.
 */
async function installPrograms() {
  const packages = [...(await missingChromium()), ...(await missingJava())]
  if (packages.length === 0 || !(await canInstall())) return
  await install(packages).catch((error) => process.stdout.write(`${reasonOf(error)}\n`))
}

/** Runs the parts one after the other, also after a failure. @param {Part[]} parts */
async function resultsInTurn(parts) {
  const all = []
  for (const part of parts) {
    const startedAt = Date.now()
    all.push(await resultsOf(part))
    process.stdout.write(`   ${part.title}: ${Math.round((Date.now() - startedAt) / 1000)} s\n`)
  }
  return all
}

/** @param {Part} part @returns {Promise<Results>} */
async function resultsOf({ title, run, results }) {
  let failure
  try {
    await run()
  } catch (error) {
    failure = { title, reason: reasonOf(error) }
  }
  const read = await results?.().catch(() => undefined)
  if (!read) return { passed: failure ? 0 : 1, failures: failure ? [failure] : [], skipped: [] }
  // A program that fails without a failed test has its own reason.
  if (failure && read.failures.length === 0) read.failures.push(failure)
  return read
}

/** @param {Results} results @param {number} seconds */
function report({ passed, failures, skipped }, seconds) {
  const list = (/** @type {string} */ word, /** @type {Failure[]} */ entries) =>
    entries.map(({ title, reason }) => `\n${word} ${title}\n${indented(reason)}\n`).join('')
  process.stdout.write(list('Skipped:', skipped))
  process.stdout.write(list('Failed:', failures))
  process.stdout.write(`\nIt took ${seconds} s.\n`)
  process.stdout.write(`${passed} passed, ${failures.length} failed, ${skipped.length} skipped\n`)
  if (failures.length > 0) process.exitCode = 1
}

/**
 * Indents the lines and cuts long ones, such as logged URLs: where only the end of an output is kept, they
 * would push everything else out.
 *
 * @param {string} text
 */
const indented = (text) =>
  text
    .split('\n')
    .map((line) => `    ${line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line}`)
    .join('\n')

/** @param {string} name */
const read = async (name) => JSON.parse(await fs.readFile(path.join(RESULTS, name), 'utf8'))

/** Reads the results of vitest in the format of Jest. */
async function readVitest() {
  const { testResults } = await read(VITEST)
  /** @type {Results} */
  const results = { passed: 0, failures: [], skipped: [] }
  for (const { name, status, message, assertionResults } of testResults) {
    const file = path.relative(root, name)
    for (const { status: end, fullName, failureMessages, meta } of assertionResults) {
      const title = `${file} > ${fullName}`
      if (end === 'passed') results.passed++
      else if (end === 'failed')
        results.failures.push({
          title,
          reason: [...(meta.logs ?? []), ...failureMessages].join('\n'),
        })
      else results.skipped.push({ title, reason: meta.reason ?? 'not possible on this machine' })
    }
    const hasFailedTest = assertionResults.some(
      (/** @type {any} */ each) => each.status === 'failed',
    )
    if (status === 'failed' && !hasFailedTest)
      results.failures.push({ title: file, reason: message })
  }
  return results
}

/** Reads the results of Playwright. */
async function readBrowser() {
  const { suites, errors } = await read(BROWSER)
  /** @type {Results} */
  const results = { passed: 0, failures: [], skipped: [] }
  for (const { message } of errors) results.failures.push({ title: 'browser', reason: message })
  const walk = (/** @type {any} */ { specs = [], suites: inner = [] }) => {
    for (const { file, title, tests } of specs) {
      for (const { projectName, status, annotations, results: tries } of tests) {
        const entry = { title: `${file} [${projectName}] > ${title}`, reason: '' }
        const last = tries.at(-1)
        if (status === 'expected') results.passed++
        else if (status === 'skipped') {
          const said = annotations.find((/** @type {any} */ { type }) => type === 'skip')
          results.skipped.push({ ...entry, reason: said?.description ?? 'no reason given' })
        } else {
          const messages = (last?.errors ?? []).map((/** @type {any} */ { message }) => message)
          const logs = (last?.attachments ?? [])
            .filter((/** @type {any} */ { name, body }) => name.startsWith(LOG) && body)
            .map(
              (/** @type {any} */ { name, body }) =>
                `${name}:\n${Buffer.from(body, 'base64').toString()}`,
            )
          results.failures.push({ ...entry, reason: [...logs, ...messages].join('\n') })
        }
      }
    }
    for (const each of inner) walk(each)
  }
  for (const suite of suites) walk(suite)
  return results
}

const PACKAGE = 'default-jre-headless'

/** Returns the packages of Debian that are missing for a Java: one, or none. */
const missingJava = async () => ((await which('java')) ? [] : [PACKAGE])

/** Throws an Error with instructions if there is no Java for the Nu Html Checker. */
async function checkJava() {
  if (await which('java')) return
  throw new Error(
    `No Java was found for the Nu Html Checker. Install one (apt-get install ${PACKAGE}) and run npm test again.`,
  )
}
