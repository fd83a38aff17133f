import fc from 'fast-check'
import { expect } from 'vitest'
import { cancelBatch } from '../../../app/domain/batches/cancel-batch.server'
import { moreLikeThis } from '../../../app/domain/batches/more-like-this.server'
import { putPromptsBack } from '../../../app/domain/lists/prompts-again.server'
import { retryAllFailed } from '../../../app/domain/batches/retry-failed.server'
import {
  pauseBatch,
  resumeBatch,
  stopAfterRound,
} from '../../../app/domain/batches/steer-batch.server'
import { leaveLine, moveUpInLine } from '../../../app/domain/batches/steer-line.server'
import { undoLeaving, undoRemoval } from '../../../app/domain/batches/undo-removal.server'
import {
  editWaitingPrompt,
  listWaitingPrompts,
  moveWaitingPrompt,
  removeWaitingPrompt,
} from '../../../app/domain/batches/waiting-prompts.server'
import type { UserCtx } from '../../../app/domain/context'
import {
  deleteOwnByStatus,
  deleteVideo,
} from '../../../app/domain/videos/requests/delete-videos.server'
import {
  generateFromPicture,
  pictureVideoForm,
} from '../../../app/domain/videos/requests/picture-video.server'
import {
  editVideo,
  regenerateVideo,
  retryVideo,
} from '../../../app/domain/videos/requests/redo-video.server'
import { acceptedFrom, attempt, bulk, bulkOverDays, generate } from '../engine/actions'
import { drawPicture } from '../pictures'
import { batchesOf, often, step, userAt, videoOf, which, who, type World } from './world'

const onVideo = (name: string, act: (user: UserCtx, id: string) => Promise<unknown>) =>
  step(name, fc.tuple(who, which), async (world, [user, video]) =>
    act(userAt(world, user), await videoOf(world, userAt(world, user), video)),
  )

type Waiting = { batchId: string; videoId: string }

/** Acts on a prompt of a running batch that has not been sent, if there is one. */
const onWaiting = (name: string, act: (user: UserCtx, waiting: Waiting) => Promise<unknown>) =>
  step(name, fc.tuple(who, which), async (world, [index, place]) => {
    const user = userAt(world, index)
    for (const batchId of await batchesOf(world, user)) {
      const prompts = await listWaitingPrompts(user, batchId)
      const prompt = prompts[place % Math.max(1, prompts.length)]
      if (prompt) await act(user, { batchId, videoId: prompt.id })
    }
  })

const onBatch = (name: string, act: (user: UserCtx, id: string) => Promise<unknown>) =>
  step(name, who, async (world, index) => {
    const user = userAt(world, index)
    for (const id of await batchesOf(world, user)) await act(user, id)
  })

const starsOf = async ({ engine }: World, { actor }: UserCtx): Promise<string[]> => {
  const { rows } = await engine.pool.query<{ id: string }>(
    'select id from videos where user_id = $1 and starred and deleted_at is null order by id',
    [actor.id],
  )
  return rows.map(({ id }) => id)
}

const PICTURE = drawPicture(90, 160, 'jpeg')

const keep =
  (world: World) =>
  ({ id }: { id: string }) =>
    world.accepted.add(id)

/** What users do with prompts, batches and videos. */
export const orderSteps = [
  step(
    'generate',
    fc.tuple(who, fc.constantFrom('a', 'refused', 'flaky', 'lost')),
    async (world, [user, prompt]) => generate(userAt(world, user), prompt).then(keep(world)),
  ),
  step('bulk', fc.tuple(who, fc.integer({ min: 1, max: 7 })), (world, [user, count]) =>
    bulk(userAt(world, user), count),
  ),
  ...often(
    step('bulk over days', fc.tuple(who, fc.integer({ min: 1, max: 20 })), (world, [user, count]) =>
      bulkOverDays(userAt(world, user), count),
    ),
  ),
  step('bulk in line', fc.tuple(who, fc.integer({ min: 1, max: 9 })), (world, [user, count]) =>
    bulkOverDays(userAt(world, user), count, { queue: true }),
  ),
  step('cancel', who, async (world, user) => {
    for (const id of await batchesOf(world, userAt(world, user)))
      await cancelBatch(userAt(world, user), id)
  }),
  ...often(onBatch('pause', pauseBatch)),
  onBatch('resume', resumeBatch),
  onBatch('stop after round', stopAfterRound),
  onBatch('move up in line', moveUpInLine),
  onBatch('leave the line', leaveLine),
  onWaiting('remove prompt', removeWaitingPrompt),
  onVideo('undo removal', undoRemoval),
  step('undo leaving', who, async (world, index) => {
    const user = userAt(world, index)
    const { rows } = await world.engine.pool.query<{ id: string }>(
      'select id from batches where user_id = $1 and left_before is not null order by id desc limit 1',
      [user.actor.id],
    )
    for (const { id } of rows) await undoLeaving(user, id)
  }),
  onWaiting('edit prompt', (user, waiting) =>
    editWaitingPrompt(user, { ...waiting, prompt: 'lost' }),
  ),
  onWaiting('move prompt', (user, waiting) =>
    moveWaitingPrompt(user, { ...waiting, to: 'earlier' }),
  ),
  onWaiting('move prompt first', (user, waiting) =>
    moveWaitingPrompt(user, { ...waiting, to: 'first' }),
  ),
  onWaiting('move prompt later', (user, waiting) =>
    moveWaitingPrompt(user, { ...waiting, to: 'later' }),
  ),
  step('put back', who, async (world, index) => {
    const user = userAt(world, index)
    const { rows } = await world.engine.pool.query<{ id: string }>(
      `select batch_id as id from videos where user_id = $1 and error_code = 'cancelled'
         and deleted_at is null and batch_id is not null limit 1`,
      [user.actor.id],
    )
    for (const { id } of rows) await putPromptsBack(user, id)
  }),
  step('from a picture', who, async (world, index) => {
    const user = userAt(world, index)
    const input = pictureVideoForm.parse({ prompt: 'from a picture' })
    const receipt = await generateFromPicture(user, { input, bytes: PICTURE })
    acceptedFrom(user.db).videos.set(receipt.id, user.actor.id)
    keep(world)(receipt)
  }),
  onVideo('three more', (user, id) => moreLikeThis(user, { id })),
  onVideo('retry', retryVideo),
  onVideo('regenerate', regenerateVideo),
  onVideo('edit', (user, id) => editVideo(user, { id, prompt: 'edited' })),
  onVideo('delete', deleteVideo),
  step('retry all', who, (world, user) => retryAllFailed(userAt(world, user))),
  step(
    'delete by status',
    fc.tuple(who, fc.constantFrom('pending', 'error', 'completed')),
    async (world, [index, status]) => {
      const user = userAt(world, index)
      const starred = await starsOf(world, user)
      await deleteOwnByStatus(user, { status, aspectRatio: 'all' })
      expect(await starsOf(world, user)).toEqual(starred)
    },
  ),
  step('everybody at once', who, async (world, user) => {
    const ctx = userAt(world, user)
    const actions = [
      generate(ctx),
      bulk(ctx, 3),
      bulkOverDays(ctx, 2, { queue: true }),
      retryAllFailed(ctx),
      world.engine.drain(),
    ]
    await Promise.all(actions.map((act) => attempt<unknown>(() => act)))
  }),
]
