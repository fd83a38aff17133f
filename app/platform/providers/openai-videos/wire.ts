import { z } from 'zod'

// Many servers implement this protocol, each in its own way, so only the fields we use are
// validated.

/** Gateways respond with `{id, polling_url, status}`; only the id is needed. */
export const submitAnswer = z.object({ id: z.string().min(1) })

const jobError = z.object({
  code: z
    .union([z.string(), z.number()])
    .nullish()
    .transform((code) => (code === null || code === undefined ? undefined : String(code))),
  message: z.string().nullish(),
})
export type WireJobError = z.output<typeof jobError>

export const videoJob = z.object({
  id: z.string().optional(),
  status: z.string(),
  prompt: z.string().nullish().catch(undefined),
  progress: z.number().nullish().catch(undefined),
  error: jobError.nullish().catch(undefined),
})
export type WireJob = z.output<typeof videoJob>

export const jobList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      prompt: z.string().nullish(),
      size: z.string().nullish(),
      seconds: z.union([z.string(), z.number()]).nullish(),
      created_at: z.number(),
    }),
  ),
  has_more: z.boolean().nullish(),
})
export type WireListed = z.output<typeof jobList>['data'][number]

const text = z.string().nullish().catch(undefined)
const openAiForm = z.object({
  error: z.object({ message: text, code: text, type: text, param: text }),
})
const plainForm = z.object({ error: z.string() })
const detailForm = z.object({
  detail: z.union([
    z.string(),
    z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
  ]),
})

export type WireError = { message: string; code?: string; field?: string }

/** Returns the message of a rejection in any of the known forms, or null if it has none of them. */
export function parseError(body: unknown): WireError | null {
  const own = openAiForm.safeParse(body)
  if (own.success) {
    const { message, code, type, param } = own.data.error
    const named = code ?? type
    return {
      message: message ?? '',
      ...(named ? { code: named } : {}),
      ...(param ? { field: param } : {}),
    }
  }
  const plain = plainForm.safeParse(body)
  if (plain.success) return { message: plain.data.error }
  const given = detailForm.safeParse(body)
  if (!given.success) return null
  const { detail } = given.data
  if (typeof detail === 'string') return { message: detail }
  const [first] = detail
  const field = first?.loc.at(-1)
  const message = detail.map(({ msg }) => msg).join('; ')
  return field === undefined ? { message } : { message, field: String(field) }
}
