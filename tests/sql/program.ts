import path from 'node:path'
import ts from 'typescript'

/** What is looked up about the whole source, read once. */
export type Source = {
  checker: ts.TypeChecker
  files: readonly ts.SourceFile[]
  /** The calls of whatever has that name. */
  callsNamed: (name: string) => readonly ts.CallExpression[]
  /** The calls of a function, by its declaration. */
  callsOf: (declaration: ts.Node) => readonly ts.CallExpression[]
  /** What is stored under a declared property, by all object literals of its type. */
  valuesOf: (property: ts.Symbol) => readonly ts.Expression[]
  /** What is assigned to a variable after its declaration. */
  assignedTo: (variable: ts.Symbol) => readonly ts.Expression[]
  /** The symbol itself where an import stands for it. */
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
  // By name, without types: these are worked out for the few that are asked for.
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

/** `c` of `a.b.c`. */
const lastName = (node: ts.Expression): string | undefined =>
  ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)
    ? (ts.isIdentifier(node) ? node : node.name).text
    : undefined

/** The name under which a function is called: its own, or that of the constant it is. */
function nameOfFunction(declaration: ts.Node): string {
  const named = ts.isFunctionDeclaration(declaration) ? declaration : declaration.parent
  const { name } = named as ts.Node & { name?: ts.Node }
  return name?.getText() ?? ''
}

/** The expression that a member of an object literal holds; a method stands for itself. */
export function valueOf(member: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(member)) return member.initializer
  if (ts.isShorthandPropertyAssignment(member)) return member.name
  return undefined
}

/** file:line of a node, as an editor opens it. */
export function placeOf(node: ts.Node, root: string): string {
  const file = node.getSourceFile()
  const { line } = file.getLineAndCharacterOfPosition(node.getStart())
  return `${path.relative(root, file.fileName)}:${line + 1}`
}
