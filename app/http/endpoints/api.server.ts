import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from '@remix-run/node'
import { z, type ZodErrorMap, type ZodTypeAny, type input, type output } from 'zod'
import { webBoot } from '~/boot/web.server'
import { AppError, type ErrorCode, type FieldErrors } from '~/domain/errors'
import { figure } from '~/lib/figures'
import { readIdempotencyKey } from '../forms/idempotency.server'
import { toAppError } from '../responses/failures.server'
import { logFailure } from '../responses/log-failure.server'
import type { Principal } from '../access/access'
import type { LoadContext } from '../session/load-context'
import { adminCtx, userCtx, visitorCtx } from '../session/make-ctx.server'
import { errorBody, errorHeaders } from '../responses/respond.server'

export type Args = LoaderFunctionArgs | ActionFunctionArgs
export type ApiRequest<Ctx, Body, Query> = {
  ctx: Ctx
  body: Body
  query: Query
  params: Args['params']
  /** The request's Idempotency-Key, if the call takes one and it has one. */
  key: string | undefined
  request: Request
  context: LoadContext
}

export type AnySchema = z.ZodType<unknown, z.ZodTypeDef, unknown>

/** What a program has to know about a call: docs/api.md and the OpenAPI document are made from it. */
export type CallFacts = {
  /** What it does or answers, in one sentence without its full stop. */
  says: string
  /** Schema of the query; without one the call reads none. */
  query?: AnySchema
  /** Schema of the body; without one the call takes none. */
  body?: AnySchema
  /** What the documents show in place of a body whose schema reads anything. */
  shownBody?: AnySchema
  /** Status of the answer; 200 if it is not given. */
  status?: 200 | 201 | 202
  /** Schema of the answer. */
  answer: AnySchema
  /** Errors beyond those of every call of its kind, and when they are sent; '': as its code says. */
  errors?: Partial<Record<ErrorCode, string>>
  /** Whether it takes an Idempotency-Key. */
  takesKey?: true
  /** Whether it answers a conditional request. */
  hasETag?: true
  /** A body that it accepts. */
  example?: unknown
}

type Row<Ctx, Body extends ZodTypeAny, Query extends ZodTypeAny, Answer extends ZodTypeAny> = Omit<
  CallFacts,
  'query' | 'body' | 'answer'
> & {
  query?: Query
  body?: Body
  answer: Answer
  /** Returns the answer, or a response with headers of its own. */
  run: (call: ApiRequest<Ctx, output<Body>, output<Query>>) => Promise<input<Answer> | Response>
}

/**
 * A JSON call: who may use it, which the access table says as well, what is told about it, and how it is
 * answered.
 */
export type Call<Who extends Principal = Principal> = {
  who: Who
  facts: CallFacts
  respond: (args: Args) => Promise<Response>
}

/** What a call that reads no body or query accepts: any object, or nothing. */
const NO_BODY = z.object({})
/**
 * The body of a call that acts on everything: an empty object, or nothing. A body that names some is
 * refused, because it would be ignored.
 */
export const ALL_OF_THEM = z
  .object({})
  .strict('This call acts on everything and takes no fields in its body')

type None = typeof NO_BODY
type Deps = ReturnType<typeof webBoot>['deps']

/** Returns the function that creates calls for somebody, from the context that their commands need. */
const callsFor =
  <Who extends Principal, Ctx>(who: Who, makeCtx: (deps: Deps, context: LoadContext) => Ctx) =>
  <Answer extends ZodTypeAny, Body extends ZodTypeAny = None, Query extends ZodTypeAny = None>(
    row: Row<Ctx, Body, Query, Answer>,
  ): Call<Who> => ({
    who,
    facts: row,
    respond: endpoint((context) => makeCtx(webBoot().deps, context), row),
  })

/** Creates a call that needs no sign-in. */
export const publicCall = callsFor('anyone', visitorCtx)
/** Creates a call for signed-in users. */
export const userCall = callsFor('user', userCtx)
/** Creates a call of the user's own work, for signed-in users and for programs with an API key. */
export const programCall = callsFor('program', userCtx)
/** Creates a call for administrators. Visitors get 401, users and editors get 403. */
export const adminCall = callsFor('admin', adminCtx)

function endpoint<
  Ctx,
  Body extends ZodTypeAny,
  Query extends ZodTypeAny,
  Answer extends ZodTypeAny,
>(
  makeCtx: (context: LoadContext) => Ctx,
  { body: bodySchema, query: querySchema, takesKey, status, run }: Row<Ctx, Body, Query, Answer>,
): Call['respond'] {
  return async ({ request, params, context }) => {
    try {
      const ctx = makeCtx(context)
      const reads = request.method === 'GET'
      if (!reads) refuseRepeated(request)
      const sent = reads ? {} : await readJson(request)
      const body = parse(bodySchema, sent)
      const query = parse(querySchema, queryOf(request))
      const key = takesKey && readIdempotencyKey(request)
      const result = await run({ ctx, body, query, params, key, request, context })
      const response = result instanceof Response ? result : json(result, status ?? 200)
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
  const text = readUtf8(await readBytes(request))
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
function readUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('BAD_INPUT', 'The body is not UTF-8 text')
  }
}

/** Maximum number of problems reported in one response. */
const MOST_PROBLEMS = 100

/** Parses a value. Without a schema any object will do, and none of it is used. */
function parse<Schema extends ZodTypeAny>(
  schema: Schema | undefined,
  value: unknown,
): output<Schema>
function parse(schema: z.ZodType<unknown> | undefined, value: unknown): unknown {
  const result = (schema ?? NO_BODY).safeParse(value, { errorMap })
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

const queryOf = (request: Request): Record<string, string> =>
  Object.fromEntries(new URL(request.url).searchParams)
