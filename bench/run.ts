import fs from 'node:fs/promises'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { gallery } from './b4-gallery'
import { polling } from './b5-polling'
import { adminLists } from './b9-admin'
import { growthOf } from './b13-growth'
import type { Timing } from './measure'
import { startWorld } from './world'

// `npm run bench`: how fast pages and calls are and how that grows with the data. Ratios are what
// counts; milliseconds are this machine's. `-- --videos 10000,100000` measures smaller tables.

const RESULTS = 'bench/results.json'
const OWN_VIDEOS = 10_000

const { values } = parseArgs({
  options: { videos: { type: 'string' }, users: { type: 'string' } },
})
const sizes = (values.videos ?? '10000,100000,1000000').split(',').map(Number)
const [fewUsers = 100, manyUsers = 10_000] = (values.users ?? '100,10000').split(',').map(Number)

const say = (text: string) => process.stdout.write(`${text}\n`)
const world = await startWorld({ ownVideos: OWN_VIDEOS })
try {
  const users: Timing[] = []
  for (const count of [fewUsers, manyUsers]) {
    await world.grow({ users: count, videos: 0 })
    users.push(...(await adminLists(world, count)))
  }
  const polls = await polling(world, OWN_VIDEOS)
  const videos: Timing[] = []
  for (const size of sizes) {
    say(`loading ${size} videos …`)
    await world.grow({ users: manyUsers, videos: size - OWN_VIDEOS })
    videos.push(...(await gallery(world, size)))
  }
  const results = {
    measuredAt: new Date().toISOString(),
    machine: { cores: os.cpus().length, node: process.version, load: os.loadavg() },
    B4: videos,
    B5: polls,
    B9: { timings: users, growth: growthOf(users) },
    B13: growthOf(videos),
  }
  await fs.writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  console.table([...users, ...polls.timings, ...videos])
  console.table(Object.entries(results.B13).map(([what, slope]) => ({ what, slope })))
  say(
    `a 304 is ${polls.bytes304} bytes, ${polls.ofRaw} of a bare server's rate, ${polls.cheaperThanNaive} times cheaper than the whole list`,
  )
  say(`written to ${RESULTS}`)
} finally {
  await world.stop()
}
process.exit(0)
