import { json } from '@remix-run/node'
import { getOnlineStats } from '~/domain/administration/overview/online.server'
import { createUser, quickCreateUser } from '~/domain/administration/users/create-user.server'
import { deleteAllUsers, deleteUser } from '~/domain/administration/users/delete-users.server'
import { editPaidUser } from '~/domain/administration/changes/edit-paid.server'
import { ALL_SEEN } from '~/domain/administration/ticks'
import { bulkImportInput } from '~/domain/administration/imports/import-schemas'
import { importUsers } from '~/domain/administration/imports/import-users.server'
import { userListQuery } from '~/domain/administration/users/list-schemas'
import {
  resetAllCounters,
  resetUserCounters,
} from '~/domain/administration/users/reset-user-counters.server'
import { ALL_USERS_DELETED } from '~/domain/administration/rules'
import { createUserInput, editUserInput, quickCreateInput } from '~/domain/administration/schemas'
import { listUsersJson } from '~/domain/administration/users/users-query.server'
import { ALL_OF_THEM, NO_BODY, adminCall, parseQuery } from '../api.server'

/** PATCH and PUT share one implementation, because two would diverge (decision Q-2). */
const edit = adminCall(editUserInput, async ({ ctx, body, params }) =>
  editPaidUser(ctx, { ...body, id: params.userId ?? '', seller: PROGRAM }, null),
)

/** A call cannot be asked first. What surprises its answer says (`notes`). */
const PROGRAM = { ticks: ALL_SEEN }

/** The calls about users. */
export const usersCalls = {
  'GET /api/admin/stats/online': adminCall(NO_BODY, async ({ ctx }) => getOnlineStats(ctx.db)),
  'POST /api/admin/users/:userId/reset-counter': adminCall(NO_BODY, async ({ ctx, params }) => ({
    success: true,
    count: await resetUserCounters(ctx, params.userId ?? ''),
  })),
  'PATCH /api/admin/users/:userId': edit,
  'PUT /api/admin/users/:userId': edit,
  'DELETE /api/admin/users/:userId': adminCall(NO_BODY, async ({ ctx, params }) => {
    await deleteUser(ctx, params.userId ?? '')
    return { success: true }
  }),
  'POST /api/admin/users/bulk-import': adminCall(bulkImportInput, async ({ ctx, body }) => {
    const rights = { changesRoles: true, ...PROGRAM }
    const { results, changeId } = await importUsers(ctx, body.users, rights)
    // What a line did is for the page, which shows it before anything is written.
    const answer = results.map(({ change: _, changes: __, seen = [], notes = [], ...result }) => {
      const all = [...notes, ...seen]
      return { ...result, ...(all.length > 0 && { notes: all }) }
    })
    return { results: answer, changeId }
  }),
  'DELETE /api/admin/users/delete-all': adminCall(ALL_OF_THEM, async ({ ctx }) => {
    const count = await deleteAllUsers(ctx)
    return { message: ALL_USERS_DELETED, count }
  }),
  'POST /api/admin/users/quick-create': adminCall(quickCreateInput, async ({ ctx, body }) =>
    json(await quickCreateUser(ctx, { ...body, seller: PROGRAM }), 201),
  ),
  'POST /api/admin/users/reset-all-counters': adminCall(ALL_OF_THEM, async ({ ctx }) => ({
    success: true,
    count: await resetAllCounters(ctx),
  })),
  'GET /api/admin/users': adminCall(NO_BODY, async ({ ctx, request }) => {
    const { json: text, totalCount } = await listUsersJson(ctx, parseQuery(userListQuery, request))
    return new Response(text, {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'X-Total-Count': String(totalCount),
      },
    })
  }),
  'POST /api/admin/users': adminCall(createUserInput, async ({ ctx, body }) =>
    json(await createUser(ctx, { ...body, seenTrash: true }), 201),
  ),
}
