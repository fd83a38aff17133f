import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startUsers, type Users } from './users'
import { reachVerdict } from './verdict'
import { leftovers } from './leftovers'
import { readOptions, type Options } from './options'
import { startProduct, type Product } from './product'
import { chosenTroubles, makeTrouble, namesOf, TROUBLES } from './schedule'
import { brokenIn, tableOf } from './table'
import { startWatch } from './watch'

// `npm run soak`: the whole product as real processes, with customers and troubles. The result is
// judged by the provider's ledger and the bytes that customers receive. See docs/faults.md.

/**
 * How long everything may take to end after the last trouble, in addition to the remaining rounds.
 */
const SETTLE_MS = 600_000

const startedAt = Date.now()
const say = (line: string) => {
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  process.stdout.write(`${String(seconds).padStart(5)} s  ${line}\n`)
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) return 0
  if (options.troubles.includes('list')) {
    process.stdout.write(`${namesOf(TROUBLES)}\n`)
    return 0
  }
  chosenTroubles(options)
  const logDir = path.resolve('test-results/soak')
  await fs.rm(logDir, { recursive: true, force: true })
  await fs.mkdir(logDir, { recursive: true })
  const { seed, minutes, setting } = options
  const names = [setting.name, ...(setting.second ? [setting.second.name] : [])].join(' and ')
  process.stdout.write(
    `soak --minutes ${minutes} --seed ${seed}: ${names}, clips on a ${setting.storage}\n`,
  )
  const product = await startProduct(options, logDir)
  try {
    return await soak(options, product)
  } finally {
    await product.stop()
  }
}

async function soak(options: Options, product: Product): Promise<number> {
  const giveUp = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => giveUp.abort())
  const users = await startUsers(product, options, { giveUp: giveUp.signal })
  const schedule = makeTrouble({ product, options, users, say, giveUp: giveUp.signal })
  const { customers } = users
  const watch = startWatch({ product, customers, isOutage: schedule.isOutage, say })
  await Promise.all([schedule.done, users.done])
  say('the trouble is over')
  await settled(product, users, giveUp.signal)
  await watch.stop()
  const verdict = await reachVerdict({
    product,
    options,
    customers,
    watch,
    keys: users.keys,
    played: schedule.played,
  })
  const broken = brokenIn(verdict)
  process.stdout.write(`\n${tableOf(verdict)}\n\n${await asides(product, users)}\n`)
  await fs.writeFile(
    path.join(product.logDir, 'verdict.json'),
    JSON.stringify(
      { ...options, verdict: { ...verdict, failed: [...verdict.failed] }, broken },
      null,
      2,
    ),
  )
  if (broken.length === 0) return 0
  process.stdout.write(`${await leftovers(product)}\n\nlogs: ${product.logDir}\n`)
  for (const { what, cases } of broken)
    process.stdout.write(`${what}:\n${cases.map((one) => `  ${one}\n`).join('')}`)
  return 1
}

/** Waits until every video has ended, at most until the deadline. */
async function settled({ db }: Product, { customers }: Users, signal: AbortSignal): Promise<void> {
  const batches = new Set(customers.flatMap(({ accepted }) => accepted.map(({ batch }) => batch)))
  let deadline: number | undefined
  while (!signal.aborted) {
    const rows = await rowsOf<{ left: number; batch: string | null; waiting: number }>(
      db,
      `select count(*)::int as left, batch_id as batch,
         count(*) filter (where awaits_round)::int as waiting
       from videos where status in ('pending', 'generating') group by batch_id`,
    )
    if (rows.length === 0) return say('everything has ended')
    const rounds = rows.map(({ batch, waiting }) => {
      const pace = [...batches].find((one) => one?.id === batch)
      return pace ? Math.ceil(waiting / pace.speedLimit) * pace.delaySeconds * 1000 : 0
    })
    deadline ??= Date.now() + SETTLE_MS + Math.max(0, ...rounds)
    if (Date.now() > deadline) {
      const left = rows.reduce((sum, row) => sum + row.left, 0)
      return say(`${left} videos have not ended in time`)
    }
    await sleep(1_000)
  }
}

/** Queries until the database responds: it may have been available again only for a moment. */
async function rowsOf<Row extends object>(db: Product['db'], text: string): Promise<Row[]> {
  for (let left = 20; ; left--) {
    try {
      return (await db.query<Row>(text)).rows
    } catch (error) {
      if (left === 0) throw error
      await sleep(1_000)
    }
  }
}

async function asides({ webs, workers }: Product, { customers }: Users): Promise<string> {
  const sum = (counts: number[]) => counts.reduce((total, n) => total + n, 0)
  const all = [...webs, ...workers]
  const refused = new Map<string, number>()
  for (const { refused: theirs } of customers)
    for (const [why, n] of theirs) refused.set(why, (refused.get(why) ?? 0) + n)
  const words = [...refused].map(([why, n]) => `${n} × ${why}`).join(', ') || 'none'
  return (
    `  processes killed: ${sum(all.map(({ kills }) => kills()))}; starts that failed: ` +
    `${sum(all.map(({ failedStarts }) => failedStarts()))}; orders refused to customers: ${words}\n`
  )
}

process.exitCode = await main()
