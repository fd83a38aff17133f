// `npm run soak -- --minutes N --seed S [--trouble name,name]`: runs the product as real processes and
// injects faults. See docs/faults.md.
import path from 'node:path'
import { root } from './lib/root.mjs'
import { checkNode, ensureBuilt, ensureInstalled, run } from './lib/state.mjs'

checkNode()
try {
  await ensureInstalled()
  await ensureBuilt()
  const args = [path.join(root, 'tests/soak/run.ts'), ...process.argv.slice(2)]
  await run(path.join(root, 'node_modules/.bin/tsx'), args, { shown: true })
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
