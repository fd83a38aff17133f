import fs from 'node:fs'
import { withCalls } from './api-document'
import { readDocument } from './documents'

fs.writeFileSync('docs/api.md', await withCalls(readDocument('docs/api.md')))
