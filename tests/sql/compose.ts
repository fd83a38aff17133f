import ts from 'typescript'
import { valueOf, type Source } from './program'

/** A value of a statement. The number of its placeholder follows from the order. */
type Placeholder = { value: ts.Expression }
type Part = string | Placeholder
/**
 * The branch taken at each condition, so that a statement does not combine both branches of one
 * condition.
 */
type Choices = ReadonlyMap<string, number>

type Value =
  | { kind: 'sql'; parts: readonly Part[]; choices: Choices }
  | { kind: 'node'; node: ts.Node; env: Env; choices: Choices }
  | { kind: 'list'; items: readonly Value[]; choices: Choices }
/** The arguments of the calls on the path, by the parameter that receives them. */
type Env = ReadonlyMap<ts.ParameterDeclaration, Argument>
/** Its values are derived only when a statement uses it. */
type Argument = { node?: ts.Expression; values: () => readonly Value[] }

/** One text that an expression can have. */
export type Composed = { text: string; values: readonly ts.Expression[] }

/** Thrown for an expression whose text cannot be derived from the source. */
export class Unknown extends Error {
  constructor(
    readonly node: ts.Node,
    why: string,
  ) {
    super(`${why}: ${node.getText().slice(0, 80)}`)
  }
}

const NONE: Choices = new Map()
/**
 * With up to this many texts every combination is made. Beyond that, every alternative is in at
 * least one.
 */
const ALL_COMBINATIONS = 500

/**
 * Derives every text that a statement written with the sql tag can have. Follows names, calls,
 * conditions, lists and parameters through the source, without running it.
 */
export function composer(source: Source) {
  const { checker } = source
  const seen = new Set<ts.TaggedTemplateExpression>()
  const isSql = (type: ts.Type): boolean =>
    type.isUnion() ? type.types.some(isSql) : type.getSymbol()?.name === 'Sql'
  const fromLibrary = (node: ts.Node): string | undefined => {
    const symbol = checker.getSymbolAtLocation(node)
    const declaration = source.symbolAt(node)?.declarations?.[0]
    if (!declaration?.getSourceFile().fileName.includes('sql-template-tag')) return undefined
    return source.symbolAt(node)?.name ?? symbol?.name
  }

  function merge(one: Choices, other: Choices): Choices | undefined {
    for (const [key, way] of other) if ((one.get(key) ?? way) !== way) return undefined
    return new Map([...one, ...other])
  }
  const under = (values: readonly Value[], choices: Choices): Value[] =>
    values.flatMap((value) => {
      const both = merge(choices, value.choices)
      return both ? [{ ...value, choices: both }] : []
    })
  /** Returns the values of all branches. */
  const fork = (key: string, ways: readonly (() => readonly Value[])[]): Value[] =>
    ways.length === 1
      ? [...ways[0]!()]
      : ways.flatMap((way, i) => under(way(), new Map([[key, i]])))
  const keyOf = (node: ts.Node): string => `${node.getSourceFile().fileName}:${node.pos}`

  type Row = { row: readonly Value[]; choices: Choices }
  /** Returns every consistent combination of one value from each list. */
  const combine = (lists: readonly (readonly Value[])[]): Row[] =>
    lists.reduce<Row[]>((rows, list) => pairs(rows, list), [{ row: [], choices: NONE }])

  function pairs(rows: readonly Row[], list: readonly Value[]): Row[] {
    const together = ({ row, choices }: Row, value: Value): Row[] => {
      const both = merge(choices, value.choices)
      return both ? [{ row: [...row, value], choices: both }] : []
    }
    if (rows.length * list.length <= ALL_COMBINATIONS)
      return rows.flatMap((row) => list.flatMap((value) => together(row, value)))
    const used = new Set<Value>()
    return [
      ...rows.flatMap((row, i) => {
        const turned = list.map((_, j) => list[(i + j) % list.length]!)
        const value = turned.find((one) => together(row, one).length > 0)
        return value ? (used.add(value), together(row, value)) : []
      }),
      ...list
        .filter((value) => !used.has(value))
        .flatMap((value) => rows.flatMap((row) => together(row, value)).slice(0, 1)),
    ]
  }
  const partsOf = (value: Value): readonly Part[] => {
    if (value.kind === 'sql') return value.parts
    // A value in place of a fragment, as in `done ? null : sql`now()``.
    if (
      value.kind === 'node' &&
      ts.isExpression(value.node) &&
      !isSql(checker.getTypeAtLocation(value.node))
    )
      return [{ value: value.node }]
    throw new Unknown(value.kind === 'node' ? value.node : nowhere, 'no statement')
  }

  function template(node: ts.TaggedTemplateExpression, env: Env): Value[] {
    seen.add(node)
    if (ts.isNoSubstitutionTemplateLiteral(node.template))
      return [{ kind: 'sql', parts: [node.template.text], choices: NONE }]
    const lists: Value[][] = [[text(node.template.head.text)]]
    for (const { expression, literal } of node.template.templateSpans) {
      lists.push(
        isSql(checker.getTypeAtLocation(expression))
          ? reduce(expression, env)
          : [{ kind: 'sql', parts: [{ value: expression }], choices: NONE }],
        [text(literal.text)],
      )
    }
    return combine(lists).map(({ row, choices }) => ({
      kind: 'sql',
      parts: row.flatMap(partsOf),
      choices,
    }))
  }
  const text = (part: string): Value => ({ kind: 'sql', parts: [part], choices: NONE })

  function reduce(node: ts.Node, env: Env): Value[] {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return reduce(node.expression, env)
    if (ts.isTaggedTemplateExpression(node) && fromLibrary(node.tag)) return template(node, env)
    if (ts.isIdentifier(node)) return named(node, env)
    if (ts.isConditionalExpression(node)) {
      const known = decided(node.condition, env)
      if (known !== undefined) return reduce(known ? node.whenTrue : node.whenFalse, env)
      return fork(`${keyOf(around(node))} ${node.condition.getText()}`, [
        () => reduce(node.whenTrue, env),
        () => reduce(node.whenFalse, env),
      ])
    }
    if (ts.isBinaryExpression(node) && isEither(node.operatorToken.kind))
      return fork(keyOf(node), [() => reduce(node.left, env), () => reduce(node.right, env)])
    if (ts.isPropertyAccessExpression(node)) return property(node.expression, node.name, env)
    if (ts.isElementAccessExpression(node)) return element(node, env)
    if (ts.isCallExpression(node)) return call(node, env)
    if (ts.isArrayLiteralExpression(node))
      return combine(node.elements.map((item) => reduce(item, env))).map(({ row, choices }) => ({
        kind: 'list',
        items: row,
        choices,
      }))
    return [{ kind: 'node', node, env, choices: NONE }]
  }

  /**
   * Returns the result of comparing an argument with a string, if the call passes a string literal.
   */
  function decided(condition: ts.Expression, env: Env): boolean | undefined {
    if (!ts.isBinaryExpression(condition) || !ts.isIdentifier(condition.left)) return undefined
    const { operatorToken: operator, right } = condition
    const isEqual = operator.kind === ts.SyntaxKind.EqualsEqualsEqualsToken
    const declaration = source.symbolAt(condition.left)?.valueDeclaration
    if (!isEqual || !ts.isStringLiteral(right) || !declaration || !ts.isParameter(declaration))
      return undefined
    const argument = env.get(declaration)?.node
    return argument && ts.isStringLiteral(argument) ? argument.text === right.text : undefined
  }

  const isEither = (kind: ts.SyntaxKind) =>
    kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken

  function named(node: ts.Identifier, env: Env): Value[] {
    const library = fromLibrary(node)
    if (library === 'empty') return [{ kind: 'sql', parts: [], choices: NONE }]
    if (node.text === 'undefined') return []
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : source.symbolAt(node)
    const aliased =
      symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const declaration = aliased?.valueDeclaration
    if (!aliased || !declaration) throw new Unknown(node, 'no declaration')
    return declared(declaration, aliased, env)
  }

  function declared(declaration: ts.Declaration, symbol: ts.Symbol, env: Env): Value[] {
    if (ts.isParameter(declaration)) return parameter(declaration, env)
    if (ts.isBindingElement(declaration)) return binding(declaration, env)
    if (ts.isVariableDeclaration(declaration)) {
      const loop = declaration.parent.parent
      if (ts.isForOfStatement(loop)) return itemsOf(loop.expression, env)
      const ways = [declaration.initializer, ...source.assignedTo(symbol)].filter(
        (way) => way !== undefined,
      )
      return fork(
        keyOf(declaration),
        ways.map((way) => () => reduce(way, env)),
      )
    }
    return [{ kind: 'node', node: declaration, env, choices: NONE }]
  }

  /**
   * Returns the values of the argument if the call is known, otherwise those of the arguments of
   * all calls.
   */
  function parameter(declaration: ts.ParameterDeclaration, env: Env): Value[] {
    const bound = env.get(declaration)
    const given =
      bound?.values() ??
      (() => {
        const owner = declaration.parent
        const place = owner.parameters.indexOf(declaration)
        const calls = source.callsOf(owner)
        return fork(
          keyOf(owner),
          calls.map((one) => () => {
            const argument = one.arguments[place]
            return argument ? reduce(argument, new Map()) : []
          }),
        )
      })()
    const preset = declaration.initializer
    if (given.length === 0 && !preset && !declaration.questionToken)
      return [{ kind: 'node', node: declaration, env, choices: NONE }]
    if (!preset) return [...given]
    return given.length === 0 ? reduce(preset, env) : [...given]
  }

  function binding(element: ts.BindingElement, env: Env): Value[] {
    const pattern = element.parent
    const owner = pattern.parent
    const preset = element.initializer ? reduce(element.initializer, env) : []
    const sources = ts.isBindingElement(owner)
      ? binding(owner, env)
      : ts.isParameter(owner)
        ? parameter(owner, env)
        : declaredPattern(owner, env)
    if (ts.isArrayBindingPattern(pattern)) {
      const place = pattern.elements.indexOf(element)
      return sources.flatMap((value) =>
        value.kind === 'list' && value.items[place]
          ? under([value.items[place]], value.choices)
          : [],
      )
    }
    const name = (element.propertyName ?? element.name).getText()
    const type = checker.getTypeAtLocation(pattern)
    return sources.flatMap((value) => {
      const found = member(value, name, type)
      return found.length > 0 ? found : under(preset, value.choices)
    })
  }
  const declaredPattern = (owner: ts.VariableDeclaration, env: Env): Value[] => {
    const loop = owner.parent.parent
    if (ts.isForOfStatement(loop)) return itemsOf(loop.expression, env)
    return owner.initializer ? reduce(owner.initializer, env) : []
  }

  function property(object: ts.Expression, name: ts.MemberName, env: Env): Value[] {
    const type = checker.getTypeAtLocation(object)
    // A method of a port: the values are those of its adapters, whichever way the port was passed.
    const declared = checker.getPropertyOfType(type, name.text)
    if (declared?.valueDeclaration && ts.isMethodSignature(declared.valueDeclaration))
      return source.valuesOf(declared).flatMap((way) => reduce(way, new Map()))
    return reduce(object, env).flatMap((value) => member(value, name.text, type))
  }

  /**
   * Returns the values of an object's property. For an unknown object, those of all objects of its
   * type.
   */
  function member(value: Value, name: string, type: ts.Type): Value[] {
    if (value.kind === 'node' && ts.isObjectLiteralExpression(value.node)) {
      const found = inLiteral(value.node, name, value.env)
      return found ? under(found, value.choices) : []
    }
    if (value.kind === 'node' && !ts.isVariableDeclaration(value.node)) {
      const symbol = checker.getPropertyOfType(checker.getNonNullableType(type), name)
      const ways = symbol ? source.valuesOf(symbol) : []
      if (symbol && ways.length > 0)
        return under(
          fork(
            `${symbol.name} ${keyOf(symbol.declarations![0]!)}`,
            ways.map((way) => () => reduce(way, new Map())),
          ),
          value.choices,
        )
      if (symbol && symbol.flags & ts.SymbolFlags.Optional) return []
      const declaration = symbol?.valueDeclaration
      if (declaration) return [{ kind: 'node', node: declaration, env: new Map(), choices: NONE }]
    }
    throw new Unknown(value.kind === 'node' ? value.node : nowhere, `no value of ${name}`)
  }

  function inLiteral(
    literal: ts.ObjectLiteralExpression,
    name: string,
    env: Env,
  ): Value[] | undefined {
    let found: Value[] | undefined
    for (const one of literal.properties) {
      if (ts.isSpreadAssignment(one)) {
        const spread = reduce(one.expression, env).flatMap((value) =>
          value.kind === 'node' && ts.isObjectLiteralExpression(value.node)
            ? (inLiteral(value.node, name, value.env) ?? [])
            : checker.getPropertyOfType(checker.getTypeAtLocation(one.expression), name)
              ? member(value, name, checker.getTypeAtLocation(one.expression))
              : [],
        )
        if (spread.length > 0) found = spread
      } else if (nameOf(one.name) === name) {
        const held = valueOf(one)
        found = held ? reduce(held, env) : [{ kind: 'node', node: one, env, choices: NONE }]
      }
    }
    return found
  }
  const nameOf = (name: ts.PropertyName): string =>
    ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText()

  function element(node: ts.ElementAccessExpression, env: Env): Value[] {
    const index = checker.getTypeAtLocation(node.argumentExpression)
    return reduce(node.expression, env).flatMap((value) => {
      if (value.kind === 'list')
        return fork(
          keyOf(node),
          value.items.map((item) => () => [item]),
        )
      if (value.kind !== 'node' || !ts.isObjectLiteralExpression(value.node))
        throw new Unknown(node, 'no literal object')
      const { node: literal, env: inner } = value
      const names = index.isStringLiteral()
        ? [index.value]
        : literal.properties.map(({ name }) => (name ? nameOf(name) : ''))
      return fork(
        `${keyOf(around(node))} ${node.argumentExpression.getText()}`,
        names.map((name) => () => inLiteral(literal, name, inner) ?? []),
      )
    })
  }

  function call(node: ts.CallExpression, env: Env): Value[] {
    const library = fromLibrary(node.expression)
    if (library === 'join') return joined(node, env)
    if (library === 'raw') return rawTexts(node.arguments[0]!).map(text)
    const listed = listCall(node, env)
    if (listed) return listed
    const functions = reduce(node.expression, env)
    return functions.flatMap((value) => {
      if (value.kind !== 'node' || !isFunction(value.node)) throw new Unknown(node, 'no function')
      return under(
        applied(
          value.node,
          value.env,
          node.arguments.map((one) => ({ node: one, values: () => reduce(one, env) })),
        ),
        value.choices,
      )
    })
  }

  function applied(fn: ts.FunctionLikeDeclaration, env: Env, given: readonly Argument[]): Value[] {
    const inner = new Map(env)
    fn.parameters.forEach((one, i) => inner.set(one, given[i] ?? { values: () => [] }))
    if (!fn.body) throw new Unknown(fn, 'no body')
    if (!ts.isBlock(fn.body)) return reduce(fn.body, inner)
    const results: ts.Expression[] = []
    const visit = (one: ts.Node): void => {
      if (ts.isReturnStatement(one) && one.expression) results.push(one.expression)
      if (!isFunction(one)) ts.forEachChild(one, visit)
    }
    visit(fn.body)
    return fork(
      keyOf(fn.body),
      results.map((one) => () => reduce(one, inner)),
    )
  }

  /** Evaluates map, filter and the values of a record, as far as statements use them. */
  function listCall(node: ts.CallExpression, env: Env): Value[] | undefined {
    if (!ts.isPropertyAccessExpression(node.expression)) return undefined
    const { expression: object, name } = node.expression
    const [first] = node.arguments
    if (object.getText() === 'Object' && first && /^(values|entries)$/.test(name.text))
      return reduce(first, env).map((value) => {
        if (value.kind !== 'node' || !ts.isObjectLiteralExpression(value.node))
          throw new Unknown(node, 'no literal object')
        const { node: literal, env: inner } = value
        const items = literal.properties.map((one): Value => {
          const [held] = inLiteral(literal, one.name ? nameOf(one.name) : '', inner) ?? []
          if (!held) throw new Unknown(one, 'no value')
          return name.text === 'values'
            ? held
            : {
                kind: 'list',
                items: [{ kind: 'node', node: one, env, choices: NONE }, held],
                choices: NONE,
              }
        })
        return { kind: 'list', items, choices: value.choices }
      })
    if (!checker.isArrayLikeType(checker.getTypeAtLocation(object)) || !first) return undefined
    if (name.text === 'filter')
      return reduce(object, env).map((value) =>
        value.kind === 'list' ? { ...value, items: value.items.filter(isText) } : value,
      )
    if (name.text !== 'map') return undefined
    const [fn] = reduce(first, env)
    if (fn?.kind !== 'node' || !isFunction(fn.node)) throw new Unknown(node, 'no function')
    const { node: body, env: inner } = fn
    return reduce(object, env).flatMap((value) => {
      // A list that is known only at run time: one item stands for all.
      const items: Value[] =
        value.kind === 'list'
          ? [...value.items]
          : [{ kind: 'node', node: object, env, choices: NONE }]
      return combine(items.map((item) => applied(body, inner, [{ values: () => [item] }]))).map(
        ({ row, choices }) => ({
          kind: 'list' as const,
          items: row,
          choices: merge(choices, value.choices) ?? choices,
        }),
      )
    })
  }
  const isText = (value: Value) => value.kind !== 'sql' || value.parts.length > 0

  const itemsOf = (list: ts.Expression, env: Env): Value[] =>
    reduce(list, env).flatMap((value) =>
      value.kind === 'list'
        ? fork(
            keyOf(list),
            value.items.map((item) => () => [item]),
          )
        : [{ kind: 'node', node: list, env, choices: NONE }],
    )

  function joined(node: ts.CallExpression, env: Env): Value[] {
    const separator = node.arguments[1]
    const between = separator && ts.isStringLiteral(separator) ? separator.text : ','
    return reduce(node.arguments[0]!, env).flatMap((value): Value[] => {
      if (value.kind !== 'list') throw new Unknown(node, 'no list')
      if (value.items.length === 0) return []
      const parts = value.items.flatMap((item, i): readonly Part[] =>
        i === 0 ? partsOf(item) : [between, ...partsOf(item)],
      )
      return [{ kind: 'sql', parts, choices: value.choices }]
    })
  }

  function rawTexts(node: ts.Expression): string[] {
    const type = checker.getTypeAtLocation(node)
    const types = type.isUnion() ? type.types : [type]
    return types.map((one) => {
      if (one.isStringLiteral()) return one.value
      // All numbers parse alike.
      if (ts.isCallExpression(node) && node.expression.getText() === 'String') return '1'
      throw new Unknown(node, 'raw text')
    })
  }

  return {
    /** Templates that were part of a composed text. */
    seen,
    /** Returns every text that an expression of type Sql can have. Throws Unknown. */
    compose(expression: ts.Expression): Composed[] {
      const texts = new Map<string, Composed>()
      for (const value of reduce(expression, new Map())) {
        const composed = print(partsOf(value))
        texts.set(composed.text, composed)
      }
      return [...texts.values()]
    },
  }
}

const nowhere = ts.factory.createIdentifier('')

/** Returns the function around a node, in which equal conditions have equal results. */
function around(node: ts.Node): ts.Node {
  for (let one = node.parent; ; one = one.parent) {
    if (isFunction(one) || ts.isSourceFile(one)) return one
  }
}

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isArrowFunction(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isMethodDeclaration(node)

/** Numbers the placeholders as the sql tag does. */
function print(parts: readonly Part[]): Composed {
  let statement = ''
  const values: ts.Expression[] = []
  for (const part of parts) {
    if (typeof part === 'string') statement += part
    else statement += `$${values.push(part.value)}`
  }
  return { text: statement, values }
}
