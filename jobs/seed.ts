import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import type { Boot } from '~/boot/deps.server'
import { messageOf } from '~/lib/error-facts'
import { minutes } from '~/lib/time'
import { runProgram, say } from './program'
import { drawClips } from './seed/clips'
import { DEMO_PASSWORD, DEMO_USERS, isDemoMissing, makeDemoUsers } from './seed/demo'
import { loadTables, type StoredClip } from './seed/load'

// Creates demo data (`npm run seed`) and, on request, rows for load tests
// (`npm run seed -- --videos 100000 --users 10000`). Safe to repeat.

type Rows = { videos: number; users: number }

/** Reads the command line. If it is wrong, says so and ends the program. */
function readArguments(): Rows {
  try {
    const { values } = parseArgs({
      options: { videos: { type: 'string' }, users: { type: 'string' } },
    })
    const videos = rowsOf(values.videos, 0)
    return { videos, users: rowsOf(values.users, videos > 0 ? 100 : 0) }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(1)
  }
}

function rowsOf(text: string | undefined, fallback: number): number {
  const number = text === undefined ? fallback : Number(text)
  if (Number.isInteger(number) && number >= 0) return number
  throw new Error(`'${text}' is not a number of rows.`)
}

const rows = readArguments()
const limits = { poolSize: 4, statementTimeoutMs: minutes(10) }
await runProgram('seed', (booted) => makeData(booted, rows), limits)

async function makeData(booted: Boot, { videos, users }: Rows): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-seed-'))
  try {
    if (await isDemoMissing(booted)) {
      say('Drawing the demo clips …')
      await makeDemoUsers(booted, await drawClips(booted, folder))
    }
    say(`The demo users sign in with the password ${DEMO_PASSWORD}:`)
    for (const { username, plan, role } of DEMO_USERS) say(`  ${username}  ${plan}, ${role}`)
    if (users > 0 || videos > 0) {
      say(`Loading ${users} users and ${videos} videos …`)
      await loadTables(booted, { users, videos }, await storedFiles(booted))
    }
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

/** Returns demo clips whose files the load test rows can share. */
async function storedFiles({ deps }: Boot) {
  return deps.db.rows<StoredClip>(sql`
    select distinct on (prompt) prompt, aspect_ratio as "aspectRatio", file_key as "fileKey",
      poster_key as "posterKey", file_bytes as bytes, file_sha256 as sha256, file_crc32 as crc32,
      duration_ms as "durationMs"
    from videos join users on users.id = videos.user_id
    where users.username = ${DEMO_USERS[3]?.username ?? ''} and videos.deleted_at is null
      and file_key is not null and poster_key is not null and file_bytes is not null
      and file_sha256 is not null and file_crc32 is not null and duration_ms is not null`)
}
