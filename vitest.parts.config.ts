import { defineConfig } from 'vitest/config'
import config, { common, maxWorkers } from './vitest.config'

// `npm run test:parts`: tests with third-party programs, which not every machine has. A test whose
// program is missing is skipped with a message. `npm test` needs none of these programs.
export default defineConfig({
  resolve: config.resolve ?? {},
  test: {
    ...common,
    maxWorkers,
    globalSetup: ['tests/setup/product.ts'],
    include: ['tests/parts/**/*.parts.ts'],
  },
})
