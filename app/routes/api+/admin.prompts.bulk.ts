import { json } from '@remix-run/node'
import { importPrompts } from '~/domain/prompts/library.server'
import { importedMessage } from '~/domain/prompts/rules'
import { bulkPromptsInput } from '~/domain/prompts/schemas'
import { adminCall } from '~/http/endpoints/api.server'

export const action = adminCall(bulkPromptsInput, async ({ ctx, body }) => {
  const count = await importPrompts(ctx, body)
  return json({ message: importedMessage(count), count }, { status: 201 })
})
