import { defineConfig } from 'vitest/config'
import config from './vitest.config'

// `npm run test:parts`: with programs of other makers, which not every machine has. A test whose part is
// missing says so and is skipped; `npm test` needs none of them.
export default defineConfig({
  ...config,
  test: { ...config.test, include: ['tests/parts/**/*.parts.ts'] },
})
