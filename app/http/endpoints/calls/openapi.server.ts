import { ignoreOverride, zodToJsonSchema, type Options } from 'zod-to-json-schema'
import { HTTP_STATUS, type ErrorCode } from '~/domain/errors'
import type { Principal } from '../../access/access'
import type { AnySchema, CallFacts } from '../api.server'
import { NAMED } from './answers'
import { FILE } from './served-before.server'

/** A call as the documents show it: by method and path, `POST /api/videos/generate`. */
export type DescribedCall = CallFacts & { name: string; who: Principal }

/** The parts of a JSON Schema that the documents read. */
export type Schema = {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: string[]
  anyOf?: Schema[]
  $ref?: string
  format?: string
}

const nameOf = new Map<unknown, string>(
  Object.entries(NAMED).map(([name, { _def }]) => [_def, name]),
)

/** Within another schema a named answer is a reference. */
const named: NonNullable<Options['override']> = (def, { currentPath }) => {
  const name = currentPath.length > 1 ? nameOf.get(def) : undefined
  return name === undefined ? ignoreOverride : { $ref: `#/components/schemas/${name}` }
}

/** Returns the JSON Schema of what a schema reads, before any transform. */
export function jsonSchema(schema: AnySchema): Schema {
  const { $schema: _, ...found }: Record<string, unknown> = zodToJsonSchema(schema, {
    target: 'jsonSchema2019-09',
    effectStrategy: 'input',
    removeAdditionalStrategy: 'strict',
    $refStrategy: 'none',
    override: named,
  })
  return found
}

/** Returns the schema of an answer or a part of it: a reference if it has a name. */
function shown(schema: AnySchema): Schema {
  const name = nameOf.get(schema._def)
  return name === undefined ? jsonSchema(schema) : { $ref: `#/components/schemas/${name}` }
}

/** Returns the OpenAPI 3.1 document of the calls. `sessionCookie` is the name of the session's cookie. */
export function openApi(calls: readonly DescribedCall[], sessionCookie: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of calls) {
    const [method = '', address = ''] = call.name.split(' ')
    const path = address.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(call, path) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Reelmill', version: '1', description: 'The stable JSON calls for programs.' },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(NAMED).map(([name, schema]) => [name, jsonSchema(schema)]),
      ),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key of /account/keys' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
      },
    },
  }
}

const SECURITY = { anyone: [], program: [{ key: [] }, { session: [] }] }

function operation(call: DescribedCall, path: string) {
  const { says, who, status = 200, answer, example, takesKey } = call
  const body = call.shownBody ?? call.body
  const isFile = answer === FILE
  return {
    operationId: idOf(call.name),
    summary: says.replaceAll('`', ''),
    security: who === 'anyone' || who === 'program' ? SECURITY[who] : [{ session: [] }],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string', format: 'uuid' },
      })),
      ...(call.query ? queryParameters(jsonSchema(call.query)) : []),
      ...(takesKey ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body && {
      requestBody: {
        required: example !== undefined,
        content: {
          'application/json': {
            schema: jsonSchema(body),
            ...(example !== undefined && { example }),
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: STATUS[status],
        content: isFile
          ? { 'application/octet-stream': {} }
          : { 'application/json': { schema: shown(answer) } },
      },
      ...(call.hasETag && { 304: { description: 'Unchanged' } }),
      ...refusals(call.errors ?? {}),
      default: { description: 'A refusal', content: FAILURE },
    },
  }
}

/** Names a call for the clients that are generated: `post_api_videos_videoId_retry`. */
const idOf = (name: string) => {
  const [method = '', path = ''] = name.split(' ')
  return method.toLowerCase() + path.replace(/\W+/g, '_')
}

const STATUS = { 200: 'OK', 201: 'Created', 202: 'Accepted' }
const FAILURE = { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } }
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same input returns the first result and orders nothing more',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

/** Returns the responses of specific errors. Several codes may share a status. */
function refusals(errors: Partial<Record<ErrorCode, string>>) {
  const texts: Partial<Record<number, string[]>> = {}
  for (const [code, when] of entriesOf(errors))
    (texts[HTTP_STATUS[code]] ??= []).push(when === '' ? code : `${code}: ${when}`)
  return Object.fromEntries(
    Object.entries(texts).map(([status, found = []]) => [
      status,
      { description: found.join('; '), content: FAILURE },
    ]),
  )
}

const isCode = (code: string): code is ErrorCode => code in HTTP_STATUS
const entriesOf = (errors: Partial<Record<ErrorCode, string>>): [ErrorCode, string][] =>
  Object.entries(errors).flatMap(([code, when]) => (isCode(code) ? [[code, when]] : []))

const queryParameters = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
