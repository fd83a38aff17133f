import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../support/engine/trials'
import { numbered, orderVideo, startScene, type Scene, type SceneUser } from '../../support/scene'
import type { Action } from '../../simulator/scenario'
import { until } from '../../support/wait'

vi.setConfig({ testTimeout: PATIENCE_MS })

// The same promise as one-bad-video.trials.test.ts, with real processes and the pauses of production. How long
// an order takes depends on the machine, so what is checked is that nothing makes others wait: no gate
// closes, and none of their videos is put on hold.

const OTHERS = 50
const USERS = 10
const DEFAULTS = { generationMs: 3_000 }
/** On a fast machine all others are under way at once, with the bad one: more than the usual 50. */
const REAL = { VIDEO_PROVIDER_TIME_SCALE: '1', TOKEN_MAX_IN_FLIGHT: '100' }

/** Orders one video and waits until the provider has accepted it. */
async function order({ sim }: Scene, user: SceneUser, prompt: string): Promise<void> {
  const before = sim.stats().ordersAccepted
  await orderVideo(user, prompt)
  await until(`${prompt} to be ordered`, () => sim.stats().ordersAccepted > before)
}

type Started = { scene: Scene; users: SceneUser[]; obstacles: () => Promise<string[]> }

/** Records every gate that closes and every video that is put on hold, however shortly. */
async function recordObstacles({ product: { db } }: Scene): Promise<() => Promise<string[]>> {
  await db.query(`
    create table obstacles (what text not null);
    create function note_obstacle() returns trigger language plpgsql security definer as $$
    begin
      insert into obstacles select case tg_table_name
        when 'provider_gates' then 'gate ' || (to_jsonb(new)->>'scope') || ': ' || (to_jsonb(new)->>'reason')
        else (select prompt from videos where id::text = to_jsonb(new)->>'video_id') || ': '
          || (to_jsonb(new)->>'hold_reason') end;
      return null;
    end $$;
    create trigger note_gate after insert or update on provider_gates
      -- A gate of a slow start has no strikes and is not closed.
      for each row when (new.strikes > 0 and new.closed_until > now()) execute function note_obstacle();
    create trigger note_hold after insert or update on line_entries
      for each row when (new.state = 'held') execute function note_obstacle();`)
  return async () => {
    const { rows } = await db.query<{ what: string }>(
      `select distinct what from obstacles where what not like '%BAD%' order by 1`,
    )
    return rows.map(({ what }) => what)
  }
}

async function expectNobodyElseWaits({ scene, users, obstacles }: Started): Promise<void> {
  for (const [i, prompt] of numbered('A good boat', OTHERS).entries())
    await order(scene, users[i % USERS]!, prompt)
  expect(await obstacles()).toEqual([])
}

async function start(): Promise<Started> {
  const scene = await startScene({ flavour: 'openai', scenario: { defaults: DEFAULTS }, env: REAL })
  const users = await Promise.all(Array.from({ length: USERS }, () => scene.user()))
  await scene.product.startWorker()
  await order(scene, users[0]!, 'A first boat')
  await scene.allAreDelivered()
  return { scene, users, obstacles: await recordObstacles(scene) }
}

/** Makes one user's video go wrong, while the others order theirs. */
const oneBadClip = (action: Partial<Action>) => async (started: Started) => {
  const { scene } = started
  scene.sim.play({
    defaults: DEFAULTS,
    rules: [{ when: { op: 'content', promptIncludes: 'BAD' }, do: action }],
  })
  const downloads = () => scene.sim.journal().filter(({ op }) => op === 'content').length
  const before = downloads()
  await orderVideo(await scene.user(), 'A BAD clip')
  await until('the clip to fail', () => downloads() > before)
  await expectNobodyElseWaits(started)
}
const oneBadOrder = (status: number) => async (started: Started) => {
  const { scene } = started
  scene.sim.play({
    defaults: DEFAULTS,
    rules: [{ when: { op: 'submit', promptIncludes: 'BAD' }, do: { status } }],
  })
  await orderVideo(await scene.user(), 'A BAD order')
  await until('the order to be refused', () =>
    scene.sim.journal().some((entry) => entry.op === 'submit' && entry.status === status),
  )
  await expectNobodyElseWaits(started)
}

const CAUSES: Record<string, (started: Started) => Promise<void>> = {
  'V1: the clip has an empty body': oneBadClip({ fault: 'no-bytes' }),
  'V1: the host of the clip answers 503': oneBadClip({ status: 503 }),
  'V1: the clip is an HTML page': oneBadClip({ fault: 'html' }),
  'V1: the clip is labelled text/html': oneBadClip({ fault: 'wrong-type' }),
  'V1: the download of the clip is reset': oneBadClip({ fault: 'reset' }),
  'V2: the order is always answered 403': oneBadOrder(403),
  'V2: the order is always answered 404': oneBadOrder(404),
}

// All causes at the same time, each in a product of its own: what takes long are the pauses.
test('V1, V2: whatever is wrong with one video, 50 of 50 videos of others are ordered at once, in real time', async () => {
  const ends = await Promise.all(
    Object.entries(CAUSES).map(async ([cause, play]) => {
      try {
        await play(await start())
        return []
      } catch (error) {
        return [{ cause, error }]
      }
    }),
  )
  expect(ends.flat()).toEqual([])
})
