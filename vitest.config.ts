import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { LATE_COMPILER } from './tests/support/late-compiler'

/** `npm test` leaves out what `npm run test:slow` runs. */
const SLOW = process.env.TEST_SUITE === 'quick' ? ['**/*.slow.test.ts'] : []

const alias = { '~': path.resolve('app') }

/**
 * The tests in `app`, `renderer` and `tests/docs` compute, or read files. They need neither a database nor a build,
 * so that one of them ends within a second or two.
 */
const unit = {
  name: 'unit',
  include: ['{app,renderer}/**/*.test.{ts,tsx}', 'tests/docs/**/*.test.ts'],
  exclude: [...configDefaults.exclude, ...SLOW],
}
/** The others share a PostgreSQL, and may start the built programs. */
const product = {
  name: 'product',
  include: ['tests/**/*.test.ts'],
  exclude: [...configDefaults.exclude, 'tests/docs/**', ...SLOW],
  globalSetup: ['tests/setup/product.ts'],
}

/**
 * The reference machine has two cores. Most tests wait for processes, so a core can serve two workers;
 * three in the slow suite, whose tests also wait for pauses as long as in production.
 */
export const maxWorkers = process.env.TEST_SUITE === 'slow' ? 6 : 4

/** What all tests have in common, also those of `npm run test:parts`. */
export const common = {
  environment: 'node' as const,
  execArgv: [LATE_COMPILER],
  // A worker loads the modules once and runs many files; `leftovers.ts` names a file that leaves something
  // for the next one.
  isolate: false,
  setupFiles: ['console', 'leftovers', 'logs', 'orphans'].map((name) => `tests/setup/${name}.ts`),
  // Far more than any test takes: they end with the condition they wait for, however slow the machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
}

export default defineConfig({
  resolve: { alias },
  test: {
    maxWorkers,
    // What the tests over HTTP depend on, which import none of it. In watch mode a change reruns all
    // tests that the command names.
    forceRerunTriggers: [
      ...configDefaults.forceRerunTriggers,
      ...['app', 'jobs', 'renderer', 'prisma'].map((folder) => `**/${folder}/**`),
    ],
    reporters: ['default'],
    projects: [unit, product].map((test) => ({ resolve: { alias }, test: { ...common, ...test } })),
  },
})
