import ts from 'typescript'

/** One way to break a source file: `find`, which occurs exactly once in it, becomes `replace`. */
export type Change = { id: string; find: string; replace: string }

type Place = { start: number; end: number }
type Edit = Place & { id: string; text: string }
type Site = Place & { edits: Edit[]; isStatement: boolean }

/** The variable that names the mutant of a process. It has no value in browsers. */
const CHOSEN = 'globalThis.process?.env.MUTANT'

/**
 * Returns a source with all changes in it, each switched on by the environment variable MUTANT:
 * the smallest expression around the place of a change is written once per variant. So one build
 * serves all mutants, also those within the text of an SQL statement. Throws if a place is not
 * found, or found twice.
 */
export function withMutants(file: string, source: string, changes: readonly Change[]): string {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const sites: Site[] = []
  for (const change of changes) {
    const at = source.indexOf(change.find)
    if (at < 0 || source.includes(change.find, at + 1)) {
      throw new Error(`${change.id}: ${at < 0 ? 'not found' : 'found twice'} in ${file}`)
    }
    const site = siteOf(tree, wholeEdit(change, at)) ?? siteOf(tree, smallEdit(change, at))
    if (!site) throw new Error(`${change.id}: no expression contains it in ${file}`)
    sites.push(site)
  }
  return merged(sites)
    .sort((a, b) => b.start - a.start)
    .reduce(
      (text, site) => text.slice(0, site.start) + switched(source, site) + text.slice(site.end),
      source,
    )
}

const wholeEdit = ({ id, find, replace }: Change, at: number): Edit => ({
  id,
  text: replace,
  start: at,
  end: at + find.length,
})

/** Leaves out what `find` and `replace` share, such as the name of a constant. */
function smallEdit({ id, find, replace }: Change, at: number): Edit {
  const most = Math.min(find.length, replace.length)
  let before = 0
  while (before < most && find[before] === replace[before]) before++
  let after = 0
  while (after < most - before && find.at(-1 - after) === replace.at(-1 - after)) after++
  const text = replace.slice(before, replace.length - after)
  return { id, text, start: at + before, end: at + find.length - after }
}

/** Expressions of one file are nested or apart. Nested ones are written as variants of the outer. */
function merged(sites: readonly Site[]): Site[] {
  const outer: Site[] = []
  for (const site of [...sites].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const around = outer.find(({ end }) => site.end <= end && site.start < end)
    if (around) around.edits.push(...site.edits)
    else outer.push({ ...site, edits: [...site.edits] })
  }
  return outer
}

function switched(source: string, { start, end, edits, isStatement }: Site): string {
  const variants = edits.map((edit) => {
    const text = source.slice(start, edit.start) + edit.text + source.slice(edit.end, end)
    // A statement that is left out is still an expression.
    return `${CHOSEN} === '${edit.id}' ? (${text || 'undefined'}) : `
  })
  // Without `void`, the bracket would make the statement before it a call.
  return `${isStatement ? 'void ' : ''}(${variants.join('')}(${source.slice(start, end)}))`
}

function siteOf(tree: ts.SourceFile, edit: Edit): Site | undefined {
  let found: Site | undefined
  const visit = (node: ts.Node): void => {
    if (node.getStart(tree) > edit.start || node.end < edit.end || ts.isTypeNode(node)) return
    if (isValue(node))
      found = {
        start: node.getStart(tree),
        end: node.end,
        edits: [edit],
        isStatement: ts.isExpressionStatement(node.parent),
      }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** Returns whether a node may be replaced by a conditional expression in brackets. */
function isValue(node: ts.Node): boolean {
  if (!ts.isExpression(node) || ts.isSpreadElement(node) || ts.isOmittedExpression(node))
    return false
  const { parent } = node
  // The text of a tagged template belongs to its tag, a called method to its object.
  if (ts.isTaggedTemplateExpression(parent)) return false
  if (ts.isCallExpression(parent)) return parent.expression !== node
  if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent))
    return parent.initializer === node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isBinaryExpression(parent)) return parent.left !== node || !isAssignment(parent)
  return VALUE_PARENTS.some((isParent) => isParent(parent))
}

const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

const VALUE_PARENTS: readonly ((node: ts.Node) => boolean)[] = [
  ts.isParenthesizedExpression,
  ts.isArrowFunction,
  ts.isReturnStatement,
  ts.isExpressionStatement,
  ts.isIfStatement,
  ts.isThrowStatement,
  ts.isConditionalExpression,
  ts.isAwaitExpression,
  ts.isArrayLiteralExpression,
  ts.isSpreadElement,
  ts.isSpreadAssignment,
  ts.isTemplateSpan,
  ts.isAsExpression,
  ts.isSatisfiesExpression,
  ts.isNonNullExpression,
  ts.isPrefixUnaryExpression,
  ts.isNewExpression,
  ts.isElementAccessExpression,
  ts.isForOfStatement,
  ts.isJsxExpression,
]
