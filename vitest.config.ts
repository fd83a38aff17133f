import path from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '~': path.resolve('app') } },
  test: {
    environment: 'node',
    globalSetup: ['tests/setup/global.ts'],
    setupFiles: ['tests/setup/console.ts'],
    include: ['app/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    // The reference machine has two cores. Most tests wait for processes, so a core can serve two.
    maxWorkers: 4,
    // Far more than any test takes: they end with the condition they wait for, however slow the machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ['default'],
  },
})
