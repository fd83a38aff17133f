import type { TestInfo } from '@playwright/test'
import type { Installation } from '../../support/installation'

/** How the names of attached logs start. */
export const LOG = 'last lines of'

const MOST_LINES = 20

/** Attaches the last lines that the product's processes have printed to a test. */
export async function attachLogs(
  info: TestInfo,
  { web, worker }: Pick<Installation, 'web' | 'worker'>,
): Promise<void> {
  const logs = { 'the web server': web.output(), 'the worker': worker?.output() ?? '' }
  for (const [name, printed] of Object.entries(logs)) {
    const last = printed.trimEnd().split('\n').slice(-MOST_LINES).join('\n')
    const body = last === '' ? 'nothing was printed' : last
    await info.attach(`${LOG} ${name}`, { body, contentType: 'text/plain' })
  }
}
