import prettier from 'prettier'
import { z, type ZodRawShape } from 'zod'
import { describedCalls } from '../../app/http/endpoints/calls/table.server'
import { NAMED } from '../../app/http/endpoints/calls/answers'
import {
  jsonSchema,
  type DescribedCall,
  type Schema,
} from '../../app/http/endpoints/calls/openapi.server'
import { FILE } from '../../app/http/endpoints/calls/served-before.server'

/** The sections of docs/api.md with a table, and the addresses whose calls it has. */
const SECTIONS: Record<string, RegExp> = {
  OpenAPI: /^\/api\/openapi/,
  Account: /^\/api\/(auth|account|codes)\//,
  'Daily prompt': /^\/api\/prompts\//,
  Videos: /^\/(api|resources)\/videos/,
  Batches: /^\/api\/batches/,
  Collections: /^\/api\/collections/,
  'Administration: users': /^\/api\/admin\/(users|stats)/,
  'Administration: tokens': /^\/api\/admin\/extra-tokens/,
  'Administration: videos': /^\/api\/admin\/videos/,
  'Administration: prompts': /^\/api\/admin\/prompts/,
}

/** Returns docs/api.md with the tables and objects of the running code in place of its own. */
export async function withCalls(document: string): Promise<string> {
  const parts = document.split(/^(?=## )/m)
  const written = parts.map((part) => {
    const heading = /^## (.+)$/m.exec(part)?.[1] ?? ''
    if (heading === 'Objects') return `## Objects\n\n${objects()}\n\n`
    const addresses = SECTIONS[heading]
    if (!addresses) return part
    const calls = describedCalls().filter(({ name }) => addresses.test(name.split(' ')[1] ?? ''))
    return part.replace(/^\| call[^]*?(?=\n(?!\|))/m, () => tableOf(calls))
  })
  return prettier.format(written.join(''), { parser: 'markdown', ...(await styleOf()) })
}

const styleOf = () => prettier.resolveConfig('docs/api.md')

function tableOf(calls: readonly DescribedCall[]): string {
  const lines = calls.map((call) => {
    const marks = [call.takesKey && '_key_', call.hasETag && '_ETag_'].filter(Boolean).join(', ')
    const address = `\`${call.name.replace(/:(\w+)/g, '{$1}')}\`${marks && ` (${marks})`}`
    return `| ${[address, call.who, call.says, inputOf(call), answerOf(call), errorsOf(call)].join(' | ')} |`
  })
  return [
    '| call | who | what it does | input | answer | specific errors |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

function inputOf(call: DescribedCall): string {
  const body = fieldsOf(call.shownBody ?? call.body)
  const query = fieldsOf(call.query)
  return [query && `query: ${query}`, body].filter(Boolean).join('; ')
}

function fieldsOf(schema: DescribedCall['body']): string {
  if (!schema) return ''
  const { properties = {}, required = [] }: Schema = jsonSchema(schema)
  return Object.entries(properties)
    .map(([name, field]) => {
      const mark = required.includes(name) ? '' : '?'
      const note = field.description ?? field.enum?.map((one) => `\`${one}\``).join(', ')
      return `\`${name}${mark}\`${note ? ` (${note})` : ''}`
    })
    .join(', ')
}

function answerOf({ status = 200, answer }: DescribedCall): string {
  if (answer === FILE) return `${status} a file`
  const name = Object.entries(NAMED).find(([, schema]) => schema === answer)?.[0]
  return `${status} \`${name ?? briefType(jsonSchema(answer))}\``
}

const errorsOf = ({ errors = {} }: DescribedCall): string =>
  Object.entries(errors)
    .map(([code, when]) => `\`${code}\`${when && `: ${when}`}`)
    .join('; ')

const refName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** A type on one line: an object by the names of its fields. */
function briefType(schema: Schema): string {
  if (schema.$ref !== undefined) return refName(schema.$ref)
  if (schema.items) return `${briefType(schema.items)}[]`
  if (!schema.properties) return typeOf(schema, '')
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    const isDeep = field.$ref ?? field.items
    return isDeep ? `${name}${mark}: ${briefType(field)}` : `${name}${mark}`
  })
  return `{${fields.join(', ')}}`
}

const objects = () =>
  Object.entries(NAMED)
    .map(([name, schema]) => `**${name}**\n\n\`\`\`ts\n${ownType(name, schema)}\n\`\`\``)
    .join('\n\n')

/** The type of a named object; one that has all fields of another is that one and some more. */
function ownType(name: string, { shape }: { shape: ZodRawShape }): string {
  const schema: Schema = jsonSchema(z.object(shape))
  const [base, fields] = Object.entries(NAMED)
    .filter(([other, its]) => other !== name && isPart(its.shape, shape))
    .map(([other, its]): [string, string[]] => [other, Object.keys(its.shape)])
    .reduce((one, two) => (two[1].length > one[1].length ? two : one), ['', []])
  if (base === '') return typeOf(schema, '')
  const own = Object.entries(schema.properties ?? {}).filter(([field]) => !fields.includes(field))
  return `${base} & ${typeOf({ ...schema, properties: Object.fromEntries(own) }, '')}`
}

const isPart = (some: ZodRawShape, all: ZodRawShape) =>
  Object.entries(some).every(([name, field]) => all[name] === field)

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return refName(schema.$ref)
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
  if (schema.enum) return schema.enum.map((one) => `'${one}'`).join(' | ')
  if (schema.items) return `${typeOf(schema.items, indent)}[]`
  if (schema.properties) return objectOf(schema, indent)
  if (schema.type === 'object') return 'Record<string, …>'
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => (type === 'integer' ? 'number' : type)).join(' | ')
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, field]) => {
    const note = field.description ?? (isTime(field) ? 'ISO 8601' : '')
    const mark = required.includes(name) ? '' : '?'
    return `${inner}${name}${mark}: ${typeOf(field, inner)},${note && ` // ${note}`}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const isTime = ({ format, anyOf = [] }: Schema): boolean =>
  format === 'date-time' || anyOf.some((one) => one.format === 'date-time')
