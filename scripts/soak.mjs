// `npm run soak -- --minutes N --seed S [--trouble name,name]`: runs the product as real processes and
// injects faults. See docs/faults.md.
import { runTests, runTool } from './lib/tools.mjs'

await runTests(() => runTool('tsx', ['tests/soak/run.ts', ...process.argv.slice(2)]))
