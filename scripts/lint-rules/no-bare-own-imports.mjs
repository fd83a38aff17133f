/**
 * With `sideEffects: false` the compiler removes an import that names nothing, and what it was for
 * silently does not happen.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: { bare: 'A bare import of our own module vanishes in the build: call a function' },
  },
  create: (context) => ({
    ImportDeclaration(node) {
      const isOurs = /^(~\/|\.)/.test(String(node.source.value))
      if (isOurs && node.specifiers.length === 0) context.report({ node, messageId: 'bare' })
    },
  }),
}
