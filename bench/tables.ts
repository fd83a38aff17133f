import { gallery } from './b4-gallery'
import { polling } from './b5-polling'
import { adminLists } from './b9-admin'
import { overview } from './b19-overview'
import { desk } from './b20-desk'
import { growthOf } from './b13-growth'
import type { Timing } from './measure'
import { startFixture } from './fixture'

const OWN_VIDEOS = 10_000
const PAYMENTS = 100_000

type Sizes = { videos: readonly number[]; users: readonly number[] }

/** B4, B5, B9, B13, B19 and B20: measures pages and calls in one database whose tables grow in steps. */
export async function tables({ videos: videoSizes, users: userSizes }: Sizes) {
  const fixture = await startFixture({ ownVideos: OWN_VIDEOS })
  try {
    const users: Timing[] = []
    for (const count of userSizes) {
      await fixture.grow({ users: count, videos: 0 })
      users.push(...(await adminLists(fixture, count)))
    }
    const polls = await polling(fixture, OWN_VIDEOS)
    const videos: Timing[] = []
    const figures: Timing[] = []
    for (const size of videoSizes) {
      process.stdout.write(`loading ${size} videos …\n`)
      await fixture.grow({ users: userSizes.at(-1) ?? 0, videos: size - OWN_VIDEOS })
      videos.push(...(await gallery(fixture, size)))
      figures.push(...(await overview(fixture, size)))
    }
    const pages = await desk(fixture, {
      payments: PAYMENTS,
      videos: videoSizes.at(-1) ?? OWN_VIDEOS,
    })
    return {
      B4: videos,
      B5: polls,
      B9: { timings: users, growth: growthOf(users) },
      B13: growthOf(videos),
      B19: figures,
      B20: pages,
    }
  } finally {
    await fixture.stop()
  }
}
