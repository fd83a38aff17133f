import { run } from './state.mjs'
import { runTool } from './tools.mjs'

/** Checks everything that needs no running program. Rejects at the first check that fails. */
export async function lint() {
  await runTool('prettier', ['--check', '--log-level', 'warn', '.'])
  await runTool('eslint', ['.'])
  const modules = ['app', 'jobs', 'renderer', 'server.ts', 'tests', 'bench', 'scripts']
  await runTool('depcruise', [...modules, '--output-type', 'err'])
  await runTool('knip', ['--no-config-hints'])
  for (const [script = '', ...args] of [
    ['check-lock.mjs'],
    ['notices.mjs', '--check'],
    ['icons.mjs', '--check'],
  ])
    await run(process.execPath, [`scripts/${script}`, ...args], { shown: true })
}
