import { afterAll, afterEach } from 'vitest'
import { forgetOutputs, lastLines } from '../support/last-lines'

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- declarations merge
  interface TaskMeta {
    logs?: string[]
  }
}

// The report at the end of `npm test` shows what the product's processes printed before a failure.
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  task.meta.logs = lastLines().map(({ name, text }) => `${name}:\n${text}`)
})
afterAll(forgetOutputs)
