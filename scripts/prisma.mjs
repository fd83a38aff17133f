// Runs the Prisma command line without its engine download: `node scripts/prisma.mjs generate`.
import { prisma } from './lib/prisma.mjs'

process.exitCode = await prisma(process.argv.slice(2))
