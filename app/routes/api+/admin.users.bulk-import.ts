import { bulkImportInput } from '~/domain/administration/import-schemas'
import { importUsers } from '~/domain/administration/import-users.server'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(bulkImportInput, async ({ ctx, body }) => ({
  results: await importUsers(ctx, body.users),
}))
