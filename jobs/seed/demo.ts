import fs from 'node:fs/promises'
import sql from 'sql-template-tag'
import type { Boot } from '~/boot/deps.server'
import type { UserRole } from '~/domain/context'
import { databaseNow } from '~/domain/clock.server'
import { DEFAULT_PLANS } from '~/domain/plans/catalogue'
import { planNumbers } from '~/domain/plans/numbers'
import type { PlanName } from '~/domain/plans/types'
import { FAILURE_TEXT } from '~/domain/videos/rules'
import { newId } from '~/lib/ids'
import { smallWebpOf, webpOf } from '~/lib/poster-files'
import { dayIn, days, hours, minutes } from '~/lib/time'
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
    const id = newId()
    if (!(await addUser(boot, { ...user, id, passwordHash }))) continue
    made++
    const videos = await storeVideos(boot, user, clips)
    await boot.deps.db.transaction((tx) => writeVideos(tx, id, videos))
  }
  return made
}

type NewUser = DemoUser & { id: string; passwordHash: string }

/** Creates an account. Returns false if the username is taken. */
async function addUser({ deps }: Boot, account: NewUser): Promise<boolean> {
  const { id, username, passwordHash, role, plan, isActive, expiresInDays } = account
  const now = await databaseNow(deps.db)
  const after = (n: number) => new Date(now.getTime() + days(n))
  const data = {
    id,
    username,
    phone: username,
    email: `${username}@example.com`,
    passwordHash,
    role,
    plan,
    ...planNumbers(DEFAULT_PLANS[plan]),
    expiryDate: expiresInDays === null ? null : after(expiresInDays),
    isActive,
    createdAt: after(-20),
  }
  const { count } = await deps.db.prisma(({ user }) =>
    user.createMany({ data, skipDuplicates: true }),
  )
  return count > 0
}

type DemoVideo = {
  id: string
  clip: DemoClip
  createdAt: Date
  /** The day in the platform's time zone, as midnight UTC. */
  day: Date
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
    const day = new Date(dayIn(deps.settings.timeZone, createdAt))
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
  await tx.prisma(({ video }) => video.createMany({ data: videos.map((v) => videoRow(userId, v)) }))
  await tx.prisma(({ quotaCharge }) =>
    quotaCharge.createMany({ data: videos.map((v) => chargeRow(userId, v)) }),
  )
  await tx.run(sql`
    insert into quota_days (user_id, day, charged, returned)
    select user_id, day, count(*) filter (where state = 'charged'),
      count(*) filter (where state = 'returned')
    from quota_charges where user_id = ${userId} group by user_id, day`)
}

function videoRow(userId: string, { id, clip, createdAt, stored }: DemoVideo) {
  const { prompt, aspectRatio, bytes, sha256, crc32, durationMs } = clip
  const row = { id, userId, prompt, aspectRatio, model: 'local-preview', seed: 1, createdAt }
  if (!stored)
    return { ...row, status: 'error', errorCode: 'busy', errorMessage: FAILURE_TEXT.busy } as const
  const completedAt = new Date(createdAt.getTime() + minutes(1))
  const file = { fileBytes: bytes, fileSha256: sha256, fileCrc32: crc32, durationMs }
  return { ...row, status: 'completed', completedAt, ...stored, ...file } as const
}

const chargeRow = (userId: string, { id, clip, createdAt, day, stored }: DemoVideo) =>
  ({
    videoId: id,
    generation: 1,
    userId,
    day,
    epoch: 0,
    state: stored ? 'charged' : 'returned',
    reason: 'generate',
    label: clip.prompt,
    createdAt,
    settledAt: createdAt,
  }) as const
