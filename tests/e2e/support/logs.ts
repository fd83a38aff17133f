import type { TestInfo } from '@playwright/test'
import { lastLines } from '../../support/last-lines'

/** Attaches the last lines that the processes of the product have printed to a test. */
export async function attachLogs(info: TestInfo): Promise<void> {
  for (const { name, text } of lastLines())
    await info.attach(name, { body: text, contentType: 'text/plain' })
}
