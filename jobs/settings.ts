import { readEnv } from '~/platform/env.server'

// For scripts/start.mjs, which cannot import source: the settings, or their problems.
export const readSettings = readEnv
