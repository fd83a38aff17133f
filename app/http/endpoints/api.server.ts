import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { z, type SafeParseReturnType, type ZodErrorMap, type ZodTypeAny, type output } from 'zod'
import { webBoot } from '~/boot/web.server'
import type { AdminCtx, UserCtx, VisitorCtx } from '~/domain/context'
import { AppError, type FieldErrors } from '~/domain/errors'
import { figure } from '~/lib/figures'
import { toAppError } from '../responses/failures.server'
import { logFailure } from '../responses/log-failure.server'
import type { Principal } from '../access/access'
import type { LoadContext } from '../session/load-context'
import { adminCtx, userCtx, visitorCtx } from '../session/make-ctx.server'
import { errorBody, errorHeaders } from '../responses/respond.server'

export type Args = LoaderFunctionArgs | ActionFunctionArgs
export type ApiRequest<Ctx, Body> = {
  ctx: Ctx
  body: Body
  params: Args['params']
  request: Request
  context: LoadContext
}
/** Returns a value, which is sent as JSON with status 200, or a response. */
type Run<Ctx, Body> = (call: ApiRequest<Ctx, Body>) => Promise<unknown>
/** A JSON call: who may use it, which the access table says as well, and how it is answered. */
export type Call<Who extends Principal = Principal> = {
  who: Who
  respond: (args: Args) => Promise<Response>
}

/** The body of a call that reads none: any JSON object, or nothing. */
export const NO_BODY = z.object({})
/**
 * The body of a call that acts on everything: an empty object, or nothing. A body that names some is
 * refused, because it would be ignored.
 */
export const ALL_OF_THEM = z
  .object({})
  .strict('This call acts on everything and takes no fields in its body')

/** Creates a call that needs no sign-in. */
export function publicCall<Schema extends ZodTypeAny>(
  body: Schema,
  run: Run<VisitorCtx, output<Schema>>,
): Call<'anyone'> {
  const respond = endpoint((context) => visitorCtx(webBoot().deps, context), body, run)
  return { who: 'anyone', respond }
}

/** Creates a call for signed-in users. */
export function userCall<Schema extends ZodTypeAny>(
  body: Schema,
  run: Run<UserCtx, output<Schema>>,
): Call<'user'> {
  const respond = endpoint((context) => userCtx(webBoot().deps, context), body, run)
  return { who: 'user', respond }
}

/** Creates a call of the user's own work, for signed-in users and for programs with an API key. */
export function programCall<Schema extends ZodTypeAny>(
  body: Schema,
  run: Run<UserCtx, output<Schema>>,
): Call<'program'> {
  return { who: 'program', respond: userCall(body, run).respond }
}

/**
 * Creates a call for administrators. Visitors get 401, users and editors get 403. Calls that order
 * videos pass `readIdempotencyKey(request)` to their command.
 */
export function adminCall<Schema extends ZodTypeAny>(
  body: Schema,
  run: Run<AdminCtx, output<Schema>>,
): Call<'admin'> {
  const respond = endpoint((context) => adminCtx(webBoot().deps, context), body, run)
  return { who: 'admin', respond }
}

function endpoint<Ctx, Schema extends ZodTypeAny>(
  makeCtx: (context: LoadContext) => Ctx,
  schema: Schema,
  run: Run<Ctx, output<Schema>>,
): Call['respond'] {
  return async ({ request, params, context }) => {
    try {
      const ctx = makeCtx(context)
      if (request.method !== 'GET') refuseRepeated(request)
      const body = parse(schema, request.method === 'GET' ? {} : await readJson(request))
      const result = await run({ ctx, body, params, request, context })
      const response = result instanceof Response ? result : json(result)
      if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
      return await withLength(response)
    } catch (error) {
      const refusal = toAppError(error, context.requestId)
      if (refusal.status >= 500) {
        logFailure(webBoot().log, error, { what: 'call failed', requestId: context.requestId })
      }
      const headers = { ...errorHeaders(refusal), 'Cache-Control': 'no-store' }
      return withLength(
        json(errorBody(refusal, context.requestId), { status: refusal.status, headers }),
      )
    }
  }
}

/**
 * Gives a JSON answer its length. Remix sends bodies as streams, so that without it even the
 * smallest answer is compressed, whatever the threshold, and sent in chunks.
 */
async function withLength(response: Response): Promise<Response> {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  if (!isJson || response.body === null) return response
  const body = await response.arrayBuffer()
  response.headers.set('Content-Length', String(body.byteLength))
  return new Response(body, response)
}

/**
 * Refuses a call that changes something if its query has a parameter twice: only one of the two
 * values would count. Throws BAD_INPUT.
 */
function refuseRepeated({ url }: Request): void {
  const names = [...new URL(url).searchParams.keys()]
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new AppError('BAD_INPUT', `${twice} is given more than once`)
}

/** Parses the body as JSON. An empty body counts as {}. Throws UNSUPPORTED or BAD_INPUT. */
async function readJson(request: Request): Promise<unknown> {
  const text = decodeText(await readBytes(request))
  if (text === '') return {}
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new AppError('UNSUPPORTED', 'Send JSON with the content type application/json')
  }
  if (hasTooManyValues(text))
    throw new AppError('BAD_INPUT', `The body has more than ${figure(MOST_VALUES)} values`)
  try {
    const body: unknown = JSON.parse(text)
    return body
  } catch {
    throw new AppError('BAD_INPUT', 'The body is not valid JSON')
  }
}

/**
 * Reads the body. A client that disconnects in the middle of it causes the same network error as a
 * database that is away, and must not be taken for one.
 */
async function readBytes(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer()
  } catch {
    throw new AppError('BAD_INPUT', 'The request body is incomplete')
  }
}

/** Maximum number of values in a body: more than the longest list that a call accepts. */
const MOST_VALUES = 50_000

/**
 * Counts values before parsing, because a value costs far more memory and time than its bytes take
 * to send, and nested values cost the most.
 */
function hasTooManyValues(json: string): boolean {
  let count = 0
  let isText = false
  for (let i = 0; i < json.length; i++) {
    const sign = json[i]
    if (isText) {
      if (sign === '\\') i++
      else isText = sign !== '"'
    } else if (sign === '"') isText = true
    else if (sign === ',' || sign === '[' || sign === '{') count++
  }
  return count > MOST_VALUES
}

/**
 * Decodes UTF-8, the only encoding of JSON (RFC 8259 §8.1). A lenient decoder would silently
 * replace invalid bytes. Throws BAD_INPUT.
 */
function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('BAD_INPUT', 'The body is not UTF-8 text')
  }
}

/** Maximum number of problems reported in one response. */
const MOST_PROBLEMS = 100

function parse<Schema extends ZodTypeAny>(schema: Schema, body: unknown): output<Schema> {
  const result: SafeParseReturnType<unknown, output<Schema>> = schema.safeParse(body, { errorMap })
  if (result.success) return result.data
  const fields: FieldErrors = {}
  for (const { path, message } of result.error.issues.slice(0, MOST_PROBLEMS))
    (fields[path.join('.') || 'body'] ??= []).push(message)
  const [first] = result.error.issues
  throw new AppError('BAD_INPUT', first?.message ?? 'Please check what you sent', { fields })
}

/**
 * Zod's default messages, which are written for programmers. They are replaced where a schema has
 * no message of its own.
 */
const ZOD_WORDS = /^(Required$|Invalid |Expected .*received)/

const errorMap: ZodErrorMap = ({ path }, { defaultError }) => {
  if (!ZOD_WORDS.test(defaultError)) return { message: defaultError }
  return {
    message: path.length === 0 ? 'Send a JSON object' : `${path.join('.')} cannot be read`,
  }
}

/** Parses the query string of a request. Throws BAD_INPUT. */
export function parseQuery<Schema extends ZodTypeAny>(
  schema: Schema,
  request: Request,
): output<Schema> {
  return parse(schema, Object.fromEntries(new URL(request.url).searchParams))
}
