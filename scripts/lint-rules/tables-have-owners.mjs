import fs from 'node:fs'

const WRITES = [
  /\binsert\s+into\s+([a-z_.]+)/gi,
  /\bdelete\s+from\s+([a-z_.]+)/gi,
  /\bupdate\s+([a-z_.]+)(?:\s+(?:as\s+)?[a-z_]+)?\s+set\b/gi,
]
const QUEUE = /\bgraphile_worker\b/
const PRISMA_WRITES = /^(create|update|upsert|delete)(Many)?(AndReturn)?$/

const SCHEMA = fs.readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8')
/** Table names by the model names of Prisma Client. */
const TABLES = new Map(
  [...SCHEMA.matchAll(/^model (\w)(\w+) \{[^]*?@@map\("(\w+)"\)/gm)].map(
    ([, first = '', rest = '', table = '']) => [first.toLowerCase() + rest, table],
  ),
)

/**
 * Returns the last name of an expression: `c` of `a.b.c`.
 *
 * @param {Parameters<NonNullable<import('eslint').Rule.RuleListener['CallExpression']>>[0]['callee']} node
 */
const lastName = (node) => {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return undefined
  return node.property.name
}

/**
 * Prevents an area of the domain from writing another area's tables through SQL or Prisma, which
 * dependency-cruiser cannot detect. Only the areas named by the option may write a table, and only the
 * queue's adapter may name the queue's tables. The option maps each table to places below app/domain; a
 * place is a folder or a file.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: {
    type: 'problem',
    schema: [
      { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    ],
    messages: {
      foreign: '{{table}} is written in {{owners}}: call a command of that area',
      unknown: 'No owner is listed for {{table}} (TABLE_OWNERS in eslint.config.js)',
      queue: "The queue's tables are named in app/platform/queue alone",
    },
  },
  create: (context) => {
    const file = context.filename.replaceAll('\\', '/')
    /**
     * @param {Parameters<import('eslint').SourceCode['getText']>[0] & {}} node
     * @param {string} table
     */
    const checkWriter = (node, table) => {
      /** @type {string[] | undefined} */
      const owners = context.options[0][table]
      const data = { table, owners: owners?.join(', ') }
      if (!owners) context.report({ node, messageId: 'unknown', data })
      else if (!owners.some((owner) => file.includes(`/app/domain/${owner}`)))
        context.report({ node, messageId: 'foreign', data })
    }
    return {
      TaggedTemplateExpression(node) {
        if (node.tag.type !== 'Identifier' || node.tag.name !== 'sql') return
        const text = node.quasi.quasis.map(({ value }) => value.raw).join('?')
        if (file.includes('/app/platform/queue/')) return
        if (QUEUE.test(text)) context.report({ node, messageId: 'queue' })
        for (const [, table = ''] of WRITES.flatMap((write) => [...text.matchAll(write)]))
          checkWriter(node, table)
      },
      CallExpression({ callee }) {
        if (callee.type !== 'MemberExpression' || !PRISMA_WRITES.test(lastName(callee) ?? ''))
          return
        const table = TABLES.get(lastName(callee.object) ?? '')
        if (table !== undefined) checkWriter(callee, table)
      },
    }
  },
}
