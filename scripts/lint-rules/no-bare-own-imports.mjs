/**
 * With `sideEffects: false` the compiler removes imports without names, so that the imported module
 * silently does not run.
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
