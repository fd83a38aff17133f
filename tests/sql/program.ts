import path from 'node:path'
import ts from 'typescript'

/** An index of the whole source, which is read once. */
export type Source = {
  checker: ts.TypeChecker
  files: readonly ts.SourceFile[]
  /** Returns the calls of functions with this name. */
  callsNamed: (name: string) => readonly ts.CallExpression[]
  /** Returns the calls of a function, by its declaration. */
  callsOf: (declaration: ts.Node) => readonly ts.CallExpression[]
  /** Returns the values of a declared property in all object literals of its type. */
  valuesOf: (property: ts.Symbol) => readonly ts.Expression[]
  /** Returns the values assigned to a variable after its declaration. */
  assignedTo: (variable: ts.Symbol) => readonly ts.Expression[]
  /** Returns the symbol of a node; for an import, the imported symbol. */
  symbolAt: (node: ts.Node) => ts.Symbol | undefined
}

/** Reads the product's source with its types. `root` is the folder of tsconfig.json. */
export function readSource(root: string, isOurs: (file: string) => boolean): Source {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) =>
    ts.sys.readFile(file),
  )
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const names = ts.sys
    .readDirectory(root, ['.ts'], ['node_modules', 'build', 'public'])
    .filter((file) => isOurs(path.relative(root, file)))
  const program = ts.createProgram(names, options)
  const checker = program.getTypeChecker()
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => isOurs(path.relative(root, fileName)))
  // Indexed by name, without types, which are computed only for the few that are used.
  const calls = new Map<string, ts.CallExpression[]>()
  const members = new Map<string, ts.ObjectLiteralElementLike[]>()
  const assignments = new Map<string, ts.BinaryExpression[]>()
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) note(calls, lastName(node.expression), node)
    if (ts.isObjectLiteralElementLike(node)) note(members, node.name?.getText(), node)
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
      note(assignments, lastName(node.left), node)
    ts.forEachChild(node, visit)
  }
  files.forEach(visit)

  const symbolAt = (node: ts.Node): ts.Symbol | undefined => {
    const symbol = checker.getSymbolAtLocation(node)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }
  const callsNamed = (name: string) => calls.get(name) ?? []
  return {
    checker,
    files,
    symbolAt,
    callsNamed,
    callsOf: (declaration) =>
      callsNamed(nameOfFunction(declaration)).filter(
        (call) => checker.getResolvedSignature(call)?.declaration === declaration,
      ),
    valuesOf: (property) =>
      (members.get(property.name) ?? []).flatMap((member) => {
        const value = valueOf(member)
        if (!value || !ts.isObjectLiteralExpression(member.parent)) return []
        const type = checker.getContextualType(member.parent)
        const types = type?.isUnion() ? type.types : type ? [type] : []
        const isIts = types.some((one) =>
          checker
            .getPropertyOfType(one, property.name)
            ?.declarations?.some((d) => property.declarations?.includes(d)),
        )
        return isIts ? [value] : []
      }),
    assignedTo: (variable) =>
      (assignments.get(variable.name) ?? [])
        .filter(({ left }) => symbolAt(left) === variable)
        .map(({ right }) => right),
  }
}

function note<T>(map: Map<string, T[]>, name: string | undefined, one: T): void {
  if (name === undefined) return
  const known = map.get(name)
  if (known) known.push(one)
  else map.set(name, [one])
}

/** Returns `c` of `a.b.c`. */
const lastName = (node: ts.Expression): string | undefined =>
  ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)
    ? (ts.isIdentifier(node) ? node : node.name).text
    : undefined

/** Returns the name under which a function is called: its own, or that of its constant. */
function nameOfFunction(declaration: ts.Node): string {
  const named = ts.isFunctionDeclaration(declaration) ? declaration : declaration.parent
  const { name } = named as ts.Node & { name?: ts.Node }
  return name?.getText() ?? ''
}

/** Returns the expression of a member of an object literal; for a method, the method itself. */
export function valueOf(member: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(member)) return member.initializer
  if (ts.isShorthandPropertyAssignment(member)) return member.name
  return undefined
}

/** Returns file:line of a node, as editors open it. */
export function placeOf(node: ts.Node, root: string): string {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  return `${path.relative(root, file.fileName)}:${line + 1}`
}
