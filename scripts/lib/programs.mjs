import path from 'node:path'
import { root } from './root.mjs'

/** The source of each program by the name of its file in `build`. */
export const entryPoints = {
  server: 'server.ts',
  worker: 'jobs/worker.ts',
  prepare: 'jobs/prepare.ts',
  settings: 'jobs/settings.ts',
  'render-clip': 'renderer/main.ts',
  'inspect-clip': 'jobs/inspect-clip.ts',
  'join-clips': 'jobs/join-clips.ts',
  'redraw-picture': 'jobs/redraw-picture.ts',
  'last-picture': 'jobs/last-picture.ts',
  'read-workbook': 'jobs/read-workbook.ts',
  seed: 'jobs/seed.ts',
  'same-names': 'jobs/same-names.ts',
  reseal: 'jobs/reseal.ts',
  'second-factor-off': 'jobs/second-factor-off.ts',
  backup: 'jobs/backup.ts',
  'move-clips': 'jobs/move-clips.ts',
}

/**
 * The build options of the programs outside Remix: one file per program, without its packages.
 *
 * @type {import('esbuild').BuildOptions}
 */
export const programs = {
  entryPoints,
  outdir: path.join(root, 'build'),
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
}
