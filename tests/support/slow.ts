import { test as vitestTest, type TestAPI } from 'vitest'

const nothing = () => undefined
const leftOut = Object.assign(nothing, {
  each: () => nothing,
  runIf: () => nothing,
}) as unknown as TestAPI

/** The suite that `npm test` or `npm run test:slow` runs. Whoever runs a file itself runs all of its tests. */
const suite = process.env.TEST_SUITE

/**
 * `test` for a single test that only `npm run test:slow` runs, which finds the file by this name. If all tests of a
 * file are slow, name it `*.slow.test.ts` instead.
 */
export const slowTest: TestAPI = suite === 'quick' ? leftOut : vitestTest

/** `test` for the others in a file with slow ones: `npm test` has run them, and they would be the same again. */
export const test: TestAPI = suite === 'slow' ? leftOut : vitestTest
