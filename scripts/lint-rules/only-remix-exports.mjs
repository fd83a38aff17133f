const ALLOWED = new Set([
  'action',
  'clientAction',
  'default',
  'ErrorBoundary',
  'handle',
  'headers',
  'Layout',
  'links',
  'loader',
  'meta',
  'shouldRevalidate',
])

/**
 * Route modules export only the names that Remix knows, so that they work under every compiler.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: { unknown: "Routes export only Remix's names, not '{{name}}'" },
  },
  create(context) {
    const report = (node, name) => {
      if (!ALLOWED.has(name)) context.report({ node, messageId: 'unknown', data: { name } })
    }
    return {
      ExportNamedDeclaration(node) {
        if (node.exportKind === 'type') return
        for (const specifier of node.specifiers) report(specifier, specifier.exported.name)
        const { declaration } = node
        if (declaration?.type === 'FunctionDeclaration') report(declaration, declaration.id.name)
        if (declaration?.type === 'VariableDeclaration') {
          for (const { id } of declaration.declarations) report(id, id.name)
        }
      },
    }
  },
}
