/**
 * For browsers, the compiler empties modules whose path ends in `.server`, without a warning: a
 * value used outside loader, action or headers is `undefined` there. Components may import only
 * types.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: { leaked: "'{{name}}' comes from a server file and is used where browsers run" },
  },
  create(context) {
    const isRoute = context.filename.includes('/app/routes/')
    const SERVER_EXPORTS = new Set(['loader', 'action', 'headers'])

    /** @param {import('eslint').Rule.Node} node */
    function isOnServer(node) {
      for (let at = node; at; at = at.parent) {
        if (at.type === 'FunctionDeclaration' && at.parent?.type === 'ExportNamedDeclaration') {
          return SERVER_EXPORTS.has(at.id?.name ?? '')
        }
        if (at.type === 'FunctionDeclaration' && at.parent?.type === 'Program')
          return reachedOnlyFromServer(at)
        if (at.type === 'VariableDeclarator' && at.parent?.parent?.type === 'Program')
          return reachedOnlyFromServer(at)
      }
      return false
    }

    /** A private helper counts as server code when only server code uses it. */
    function reachedOnlyFromServer(declaration) {
      const [variable] = context.sourceCode.getDeclaredVariables(declaration)
      return (
        Boolean(variable) &&
        variable.references.filter((r) => r.isRead()).every((r) => isOnServer(r.identifier))
      )
    }

    return {
      ImportDeclaration(node) {
        if (!/\.server$/.test(String(node.source.value)) || node.importKind === 'type') return
        for (const specifier of node.specifiers) {
          if (specifier.importKind === 'type') continue
          for (const variable of context.sourceCode.getDeclaredVariables(specifier)) {
            for (const reference of variable.references) {
              if (reference.isTypeReference) continue
              if (isRoute && isOnServer(reference.identifier)) continue
              if (isRoute && isResourceRoute(context.sourceCode.ast)) continue
              context.report({
                node: reference.identifier,
                messageId: 'leaked',
                data: { name: variable.name },
              })
            }
          }
        }
      },
    }
  },
}

/** Returns whether a route has no page. Browsers never receive such routes. */
function isResourceRoute(program) {
  return !program.body.some((statement) => statement.type === 'ExportDefaultDeclaration')
}
