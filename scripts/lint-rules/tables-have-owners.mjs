const WRITES = [
  /\binsert\s+into\s+([a-z_.]+)/gi,
  /\bdelete\s+from\s+([a-z_.]+)/gi,
  /\bupdate\s+([a-z_.]+)(?:\s+(?:as\s+)?[a-z_]+)?\s+set\b/gi,
]
const QUEUE = /\bgraphile_worker\b/

/**
 * What dependency-cruiser cannot see: an area of the domain that goes round the others through SQL. A
 * table is written by the areas that its option names, and the queue's tables are named in its adapter.
 * The option is the places below app/domain, by table; a place is a folder or a file.
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
      unknown: 'Nobody is named who may write to {{table}} (TABLE_OWNERS in eslint.config.js)',
      queue: "The queue's tables are named in app/platform/queue alone",
    },
  },
  create: (context) => ({
    TaggedTemplateExpression(node) {
      if (node.tag.type !== 'Identifier' || node.tag.name !== 'sql') return
      const text = node.quasi.quasis.map(({ value }) => value.raw).join('?')
      const file = context.filename.replaceAll('\\', '/')
      if (file.includes('/app/platform/queue/')) return
      if (QUEUE.test(text)) context.report({ node, messageId: 'queue' })
      for (const [, table = ''] of WRITES.flatMap((write) => [...text.matchAll(write)])) {
        /** @type {string[] | undefined} */
        const owners = context.options[0][table]
        const data = { table, owners: owners?.join(', ') }
        if (!owners) context.report({ node, messageId: 'unknown', data })
        else if (!owners.some((owner) => file.includes(`/app/domain/${owner}`)))
          context.report({ node, messageId: 'foreign', data })
      }
    },
  }),
}
