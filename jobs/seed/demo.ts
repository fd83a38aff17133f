import fs from 'node:fs/promises'
import sql from 'sql-template-tag'
import type { Boot } from '~/boot/deps.server'
import type { UserRole } from '~/domain/accounts/types'
import { PLANS } from '~/domain/plans/catalogue'
import type { PlanName } from '~/domain/plans/types'
import { FAILURE_TEXT } from '~/domain/videos/rules'
import { newId } from '~/lib/ids'
import { smallWebpOf, webpOf } from '~/lib/poster-files'
import { dayIn, hours, minutes } from '~/lib/time'
import type { Tx } from '~/platform/db/port'
import type { DemoClip } from './clips'

/** The password of all demo accounts, which are for local use only. */
export const DEMO_PASSWORD = 'demo1234'

type DemoUser = {
  username: string
  role: UserRole
  plan: PlanName
  /** Days from now until the account expires; null for never. */
  expiresInDays: number | null
  isActive: boolean
  videos: number
}

const base = { role: 'user', expiresInDays: 30, isActive: true } as const

export const DEMO_USERS: readonly DemoUser[] = [
  { ...base, username: '923000000001', plan: 'Starter', videos: 6 },
  { ...base, username: '923000000002', plan: 'Professional', videos: 10 },
  { ...base, username: '923000000003', plan: 'Business', videos: 14, expiresInDays: 5 },
  { ...base, username: '923000000004', plan: 'Enterprise', videos: 18, expiresInDays: null },
  { ...base, username: '923000000005', plan: 'Starter', videos: 3, expiresInDays: -4 },
  { ...base, username: '923000000006', plan: 'Professional', videos: 2, isActive: false },
  { ...base, username: '923000000007', plan: 'Business', videos: 0, role: 'editor' },
]

/** Every fourth video of the demo failed, so that there is something to retry. */
const FAILS_EVERY = 4

/** Returns whether a demo account is missing. */
export async function isDemoMissing({ deps }: Boot): Promise<boolean> {
  const username = { in: DEMO_USERS.map((user) => user.username) }
  const count = await deps.db.prisma(({ user }) =>
    user.count({ where: { username, deletedAt: null } }),
  )
  return count < DEMO_USERS.length
}

/** Creates the demo accounts with their videos. Existing accounts are not changed. */
export async function makeDemoUsers(boot: Boot, clips: readonly DemoClip[]): Promise<number> {
  const passwordHash = await boot.deps.passwords.hash(DEMO_PASSWORD)
  let made = 0
  for (const user of DEMO_USERS) {
    const id = await addUser(boot, user, passwordHash)
    if (id === undefined) continue
    made++
    const videos = await storeVideos(boot, user, clips)
    await boot.deps.db.transaction((tx) => writeVideos(tx, id, videos))
  }
  return made
}

async function addUser({ deps }: Boot, user: DemoUser, hash: string): Promise<string | undefined> {
  const { videosPerDay, pace } = PLANS[user.plan]
  const ends = user.expiresInDays
  const row = await deps.db.row<{ id: string }>(sql`
    insert into users (id, username, phone, email, password_hash, role, plan, video_limit, speed_limit,
      video_generation_speed, expiry_date, is_active, created_at)
    values (${newId()}, ${user.username}, ${user.username}, ${`${user.username}@example.com`}, ${hash},
      ${user.role}::user_role, ${user.plan}::plan_name, ${videosPerDay}, ${pace.videos}, ${pace.delaySeconds},
      engine_now() + make_interval(days => ${ends}::int), ${user.isActive}, engine_now() - interval '20 days')
    on conflict (username) where deleted_at is null do nothing returning id`)
  return row?.id
}

type DemoVideo = {
  id: string
  clip: DemoClip
  createdAt: Date
  day: string
  stored: { fileKey: string; posterKey: string } | null
}

/** Stores a separate file per video, as the engine does. Failed videos have none. */
async function storeVideos(
  { deps }: Boot,
  { videos }: DemoUser,
  clips: readonly DemoClip[],
): Promise<DemoVideo[]> {
  const list: DemoVideo[] = []
  for (let i = 0; i < videos; i++) {
    const clip = clips[i % clips.length]
    if (!clip) throw new Error('there are no demo clips')
    const createdAt = new Date(Date.now() - hours(3 + 17 * i))
    const stored = i % FAILS_EVERY === FAILS_EVERY - 1 ? null : await store(deps, clip)
    const day = dayIn(deps.settings.timeZone, createdAt)
    list.push({ id: newId(), clip, createdAt, day, stored })
  }
  return list
}

async function store({ storage }: Boot['deps'], clip: DemoClip) {
  const id = newId()
  const keys = { fileKey: `${id.slice(-2)}/${id}.mp4`, posterKey: `${id.slice(-2)}/${id}.jpg` }
  for (const [source, key] of [
    [clip.path, keys.fileKey],
    [clip.posterPath, keys.posterKey],
    [webpOf(clip.posterPath), webpOf(keys.posterKey)],
    [smallWebpOf(clip.posterPath), smallWebpOf(keys.posterKey)],
  ] as const) {
    const scratch = await storage.scratchPath(`${newId()}.part`)
    await fs.copyFile(source, scratch)
    await storage.commit(scratch, key)
  }
  return keys
}

async function writeVideos(tx: Tx, userId: string, videos: readonly DemoVideo[]): Promise<void> {
  for (const { id, clip, createdAt, day, stored } of videos) {
    const { prompt, aspectRatio } = clip
    await tx.run(sql`
      insert into videos (id, user_id, prompt, aspect_ratio, status, model, seed, created_at, completed_at,
        error_code, error_message, file_key, poster_key, file_bytes, file_sha256, file_crc32, duration_ms)
      values (${id}, ${userId}, ${prompt}, ${aspectRatio}::aspect_ratio,
        ${stored ? 'completed' : 'error'}::video_status, 'local-preview', 1, ${createdAt},
        ${stored ? new Date(createdAt.getTime() + minutes(1)) : null},
        ${stored ? null : 'busy'}, ${stored ? null : FAILURE_TEXT.busy},
        ${stored?.fileKey ?? null}, ${stored?.posterKey ?? null},
        ${stored ? clip.bytes : null}, ${stored ? clip.sha256 : null}, ${stored ? clip.crc32 : null},
        ${stored ? clip.durationMs : null})`)
    await tx.run(sql`
      insert into quota_charges (video_id, generation, user_id, day, epoch, state, reason, label, created_at, settled_at)
      values (${id}, 1, ${userId}, ${day}, 0, ${stored ? 'charged' : 'returned'}::charge_state, 'generate',
        ${prompt}, ${createdAt}, ${createdAt})`)
  }
  await tx.run(sql`
    insert into quota_days (user_id, day, charged)
    select user_id, day, count(*) from quota_charges where user_id = ${userId} and state = 'charged'
    group by user_id, day`)
}
