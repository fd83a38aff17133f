import { test, type TestAPI } from 'vitest'

const nothing = () => undefined
const leftOut = Object.assign(nothing, { each: () => nothing, runIf: () => nothing })

/**
 * `test` for a single test that only `npm run test:slow` runs, which finds the file by this name, and whoever runs
 * the file itself. If all tests of a file are slow, name it `*.slow.test.ts` instead.
 */
export const slowTest: TestAPI =
  process.env.TEST_SUITE === 'quick' ? (leftOut as unknown as TestAPI) : test
