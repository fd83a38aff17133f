import { z } from 'zod'
import { getOnlineStats } from '~/domain/administration/overview/online.server'
import { createUser, quickCreateUser } from '~/domain/administration/users/create-user.server'
import { deleteAllUsers, deleteUser } from '~/domain/administration/users/delete-users.server'
import { editPaidUser } from '~/domain/administration/changes/edit-paid.server'
import { ALL_SEEN } from '~/domain/administration/ticks'
import { bulkImportInput, importEntry } from '~/domain/administration/imports/import-schemas'
import { importUsers } from '~/domain/administration/imports/import-users.server'
import { userListQuery } from '~/domain/administration/users/list-schemas'
import {
  resetAllCounters,
  resetUserCounters,
} from '~/domain/administration/users/reset-user-counters.server'
import { ALL_USERS_DELETED } from '~/domain/administration/rules'
import {
  createUserInput,
  editUserInput,
  plan,
  quickCreateInput,
  role,
} from '~/domain/administration/schemas'
import { listUsersJson } from '~/domain/administration/users/users-query.server'
import { ALL_OF_THEM, adminCall } from '../api.server'
import { done, doneAndCounted, managedUser, messageAndCount, notes } from './answers'
import { SOME_PASSWORD, SOME_PHONE } from './examples'

/** A call cannot be asked first. What surprises its answer says (`notes`). */
const PROGRAM = { ticks: ALL_SEEN }

const NOT_ONESELF = { NOT_FOUND: '', CONFLICT: 'oneself or the last administrator' }

/** PATCH and PUT share one implementation, because two would diverge (decision Q-2). */
const edit = adminCall({
  says: 'Changes those fields of a user that are sent',
  body: editUserInput,
  answer: z.object({ user: managedUser, notes }),
  errors: NOT_ONESELF,
  example: { plan: 'Business', expireDays: 30 },
  run: async ({ ctx, body, params }) =>
    editPaidUser(ctx, { ...body, id: params.userId ?? '', seller: PROGRAM }, null),
})

/** What a program sends for one user of an import. */
const sentUser = importEntry
  .extend({ role, plan, isActive: z.boolean() })
  .partial()
  .required({ username: true, password: true })

/** The calls about users. */
export const usersCalls = {
  'GET /api/admin/users': adminCall({
    says: 'The users, newest first; without `page` and `limit` all of them; their number is in `X-Total-Count`',
    query: userListQuery,
    answer: z.array(managedUser),
    errors: { BAD_INPUT: '' },
    run: async ({ ctx, query }) => {
      const { json: text, totalCount } = await listUsersJson(ctx, query)
      return new Response(text, {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'X-Total-Count': String(totalCount),
        },
      })
    },
  }),
  'POST /api/admin/users': adminCall({
    says: 'Creates a user',
    body: createUserInput,
    shownBody: createUserInput.omit({ seenTrash: true }),
    status: 201,
    answer: z.object({ user: managedUser, password: z.string() }),
    errors: { CONFLICT: 'the name is taken' },
    example: { phone: SOME_PHONE, password: SOME_PASSWORD, plan: 'Starter' },
    run: async ({ ctx, body }) => createUser(ctx, { ...body, seenTrash: true }),
  }),
  'PATCH /api/admin/users/:userId': edit,
  'PUT /api/admin/users/:userId': edit,
  'DELETE /api/admin/users/:userId': adminCall({
    says: 'Moves a user to the trash for seven days',
    answer: done,
    errors: NOT_ONESELF,
    run: async ({ ctx, params }) => {
      await deleteUser(ctx, params.userId ?? '')
      return { success: true }
    },
  }),
  'DELETE /api/admin/users/delete-all': adminCall({
    says: 'Moves all users except administrators to the trash',
    body: ALL_OF_THEM,
    answer: messageAndCount,
    run: async ({ ctx }) => {
      const count = await deleteAllUsers(ctx)
      return { message: ALL_USERS_DELETED, count }
    },
  }),
  'POST /api/admin/users/:userId/reset-counter': adminCall({
    says: 'Resets what a user has used today; `count` is 0 or 1',
    answer: doneAndCounted,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => ({
      success: true,
      count: await resetUserCounters(ctx, params.userId ?? ''),
    }),
  }),
  'POST /api/admin/users/reset-all-counters': adminCall({
    says: 'Resets what all users have used today; counts those with something to reset',
    body: ALL_OF_THEM,
    answer: doneAndCounted,
    run: async ({ ctx }) => ({ success: true, count: await resetAllCounters(ctx) }),
  }),
  'POST /api/admin/users/quick-create': adminCall({
    says: 'Sells a plan to a new user, with a password for them',
    body: quickCreateInput,
    shownBody: quickCreateInput.omit({ seenTrash: true }),
    status: 201,
    answer: z.object({
      username: z.string(),
      password: z.string(),
      expiryDate: z.string().nullable(),
      phone: z.string(),
      plan: z.string(),
      notes,
    }),
    errors: { CONFLICT: "'User already exists'" },
    example: { phone: SOME_PHONE, plan: 'Starter' },
    run: async ({ ctx, body }) => quickCreateUser(ctx, { ...body, seller: PROGRAM }),
  }),
  'POST /api/admin/users/bulk-import': adminCall({
    says: 'Creates or changes 1 to 100 users; returns results in the order sent; `changeId` is null if nothing changed',
    body: bulkImportInput,
    shownBody: z.object({ users: z.array(sentUser) }),
    answer: z.object({
      results: z.array(
        z.object({
          username: z.string(),
          success: z.boolean(),
          error: z.string().optional(),
          notes,
        }),
      ),
      changeId: z.string().nullable(),
    }),
    errors: { BAD_INPUT: 'none, or more than 100' },
    example: {
      users: [{ username: SOME_PHONE, password: SOME_PASSWORD, plan: 'Starter' }],
    },
    run: async ({ ctx, body }) => {
      const rights = { changesRoles: true, ...PROGRAM }
      const { results, changeId } = await importUsers(ctx, body.users, rights)
      // What a line did is for the page, which shows it before anything is written.
      const answer = results.map(({ change: _, changes: __, seen = [], notes = [], ...result }) => {
        const all = [...notes, ...seen]
        return { ...result, ...(all.length > 0 && { notes: all }) }
      })
      return { results: answer, changeId }
    },
  }),
  'GET /api/admin/stats/online': adminCall({
    says: 'How many users are online, and how many have videos under way',
    answer: z.object({ onlineUsers: z.number(), generatingUsers: z.number() }),
    run: async ({ ctx }) => getOnlineStats(ctx.db),
  }),
}
