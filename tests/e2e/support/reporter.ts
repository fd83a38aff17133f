import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { LOG } from './logs'

/**
 * Prints at the very end of a run what a reader needs: each failed test with its reason and the last
 * lines of the product's logs, each skipped test with its reason, and the counts.
 */
export default class EndReporter implements Reporter {
  private root: Suite | undefined
  /** Errors outside of any test, such as in the set-up. */
  private readonly errors: TestError[] = []

  onBegin(_config: unknown, root: Suite): void {
    this.root = root
  }

  onError(error: TestError): void {
    this.errors.push(error)
  }

  onEnd(): void {
    const tests = this.root?.allTests() ?? []
    const endedAs = (...outcomes: ReturnType<TestCase['outcome']>[]) =>
      tests.filter((test) => outcomes.includes(test.outcome()))
    const failed = endedAs('unexpected', 'flaky')
    const skipped = endedAs('skipped')
    // A test has no result if the run was stopped before it, or only lists its tests.
    const isRun = ({ results }: TestCase) => results.length > 0
    if (!tests.some(isRun) && this.errors.length === 0) return
    const left = tests.filter((test) => !isRun(test)).length
    const lines = [
      ...this.errors.map((error) => `\nFailed outside of the tests:\n${textOf(error)}`),
      ...failed.map(failureOf),
      ...skipped.filter(isRun).map((test) => `Skipped: ${nameOf(test)}: ${reasonOf(test)}`),
      ...(left > 0 ? [`Skipped: ${left} tests, because the run ended before them`] : []),
      `\n${endedAs('expected').length} passed, ${failed.length} failed, ${skipped.length} skipped`,
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  }

  printsToStdio(): boolean {
    return false
  }
}

function nameOf({ title, location, parent }: TestCase): string {
  const file = path.relative(process.cwd(), location.file)
  return `[${parent.project()?.name ?? ''}] ${file}:${location.line} ${title}`
}

function failureOf(test: TestCase): string {
  const result = test.results.findLast(({ status }) => status !== 'passed')
  const reasons = result?.errors.map(textOf) ?? []
  return [`\nFailed: ${nameOf(test)}`, ...reasons, ...logsOf(result)].join('\n')
}

const textOf = ({ message, value }: TestError): string =>
  stripVTControlCharacters(message ?? value ?? 'no reason is known')

const logsOf = (result: TestResult | undefined): string[] =>
  (result?.attachments ?? [])
    .filter(({ name }) => name.startsWith(LOG))
    .map(({ name, body }) => `${name}:\n${body?.toString() ?? ''}`)

function reasonOf({ annotations }: TestCase): string {
  const notes = annotations.filter(({ type }) => type === 'skip' || type === 'fixme')
  return notes.map(({ description }) => description).find(Boolean) ?? 'no reason is given'
}
