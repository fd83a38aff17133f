// `npm run test:mutants`: breaks the product in many ways, one at a time, and reports which of them
// no test sees. `-- ID …` tries only some. See tests/mutants/run.ts.
import { runTests, runTool } from './lib/tools.mjs'

await runTests(() => runTool('tsx', ['tests/mutants/run.ts', ...process.argv.slice(2)]))
