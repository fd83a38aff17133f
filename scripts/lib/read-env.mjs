// Loaded before a built program (node --import): its settings may stand in `.env`.
import { loadEnvFile } from './env-file.mjs'

await loadEnvFile()
