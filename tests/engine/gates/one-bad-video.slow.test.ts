import { expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../../support/engine/trials'
import { numbered, orderVideo, startScene, type Scene, type SceneUser } from '../../support/scene'
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
      for each row when (new.closed_until > now()) execute function note_obstacle();
    create trigger note_hold after insert or update on line_entries
      for each row when (new.state = 'held') execute function note_obstacle();`)
  return async () => {
    const { rows } = await db.query<{ what: string }>(
      `select distinct what from obstacles where what not like '%BAD%' order by 1`,
    )
    return rows.map(({ what }) => what)
  }
}

async function expectNobodyElseWaits(
  scene: Scene,
  { users, obstacles }: Awaited<ReturnType<typeof start>>,
) {
  for (const [i, prompt] of numbered('A good boat', OTHERS).entries())
    await order(scene, users[i % USERS]!, prompt)
  expect(await obstacles()).toEqual([])
}

async function start() {
  const scene = await startScene({ flavour: 'openai', scenario: { defaults: DEFAULTS }, env: REAL })
  const users = await Promise.all(Array.from({ length: USERS }, () => scene.user()))
  await scene.product.startWorker()
  await order(scene, users[0]!, 'A first boat')
  await scene.allAreDelivered()
  return { scene, users, obstacles: await recordObstacles(scene) }
}

test.each([
  ['an empty body', { fault: 'no-bytes' }],
  ['503', { status: 503 }],
  ['an HTML page', { fault: 'html' }],
  ['a clip labelled text/html', { fault: 'wrong-type' }],
  ['a reset', { fault: 'reset' }],
] as const)(
  'V1: a clip whose host answers with %s: 50 of 50 videos of others are ordered at once, in real time',
  async (_name, action) => {
    const started = await start()
    const { scene } = started
    scene.sim.play({
      defaults: DEFAULTS,
      rules: [{ when: { op: 'content', promptIncludes: 'BAD' }, do: action }],
    })
    const downloads = () => scene.sim.journal().filter(({ op }) => op === 'content').length
    const before = downloads()
    await orderVideo(await scene.user(), 'A BAD clip')
    await until('the clip to fail', () => downloads() > before)
    await expectNobodyElseWaits(scene, started)
  },
)

test.each([403, 404])(
  'V2: an order that is always answered %i: 50 of 50 videos of others are ordered at once, in real time',
  async (status) => {
    const started = await start()
    const { scene } = started
    scene.sim.play({
      defaults: DEFAULTS,
      rules: [{ when: { op: 'submit', promptIncludes: 'BAD' }, do: { status } }],
    })
    await orderVideo(await scene.user(), 'A BAD order')
    await until('the order to be refused', () =>
      scene.sim.journal().some((entry) => entry.op === 'submit' && entry.status === status),
    )
    await expectNobodyElseWaits(scene, started)
  },
)
