import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

/** `npm test` leaves out what `npm run test:slow` runs. */
const isQuick = process.env.TEST_SUITE === 'quick'

const alias = { '~': path.resolve('app') }

/**
 * The tests in `app` and `tests/docs` compute, or read files. They need neither a database nor a build,
 * so that one of them ends within a second or two.
 */
const unit = {
  name: 'unit',
  include: ['app/**/*.test.{ts,tsx}', 'tests/docs/**/*.test.ts'],
}
/** The others share a PostgreSQL, and may start the built programs. */
const product = {
  name: 'product',
  include: ['tests/**/*.test.ts'],
  exclude: [...configDefaults.exclude, 'tests/docs/**', ...(isQuick ? ['**/*.slow.test.ts'] : [])],
  globalSetup: ['tests/setup/product.ts'],
}

/** What all tests have in common, also those of `npm run test:parts`. */
export const common = {
  environment: 'node' as const,
  setupFiles: ['tests/setup/console.ts', 'tests/setup/leftovers.ts', 'tests/setup/logs.ts'],
  // The modules are loaded once per worker, not once per file. `leftovers.ts` names a file that leaves
  // something behind for the next one.
  isolate: false,
  // Far more than any test takes: they end with the condition they wait for, however slow the machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
}

export default defineConfig({
  resolve: { alias },
  test: {
    // The reference machine has two cores. Most tests wait for processes, so a core can serve two.
    maxWorkers: 4,
    reporters: ['default'],
    projects: [unit, product].map((test) => ({ resolve: { alias }, test: { ...common, ...test } })),
  },
})
