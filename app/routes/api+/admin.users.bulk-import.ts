import { bulkImportInput } from '~/domain/administration/import-schemas'
import { importUsers } from '~/domain/administration/import-users.server'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(bulkImportInput, async ({ ctx, body }) => {
  const { results, changeId } = await importUsers(ctx, body.users, { changesRoles: true })
  // What a line did is for the page, which shows it before anything is written.
  return { results: results.map(({ change: _, changes: __, ...result }) => result), changeId }
})
