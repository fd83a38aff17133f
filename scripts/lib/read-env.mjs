// Preloaded before a built program (node --import), because its settings may be in `.env`.
import { loadEnvFile } from './env-file.mjs'

await loadEnvFile()
