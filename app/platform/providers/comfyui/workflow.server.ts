import fs from 'node:fs'
import { messageOf } from '~/lib/error-facts'
import { isObject, objectOf, type JsonObject } from '../reading/json'

const NUMBERS = ['width', 'height', 'seconds', 'frames', 'seed'] as const
const TEXTS = ['prompt', 'negative', 'picture'] as const
const NAMES = [...TEXTS, ...NUMBERS] as const
type Name = (typeof NAMES)[number]

/** What an order puts in the place of each placeholder. */
type Values = Record<(typeof TEXTS)[number], string> & Record<(typeof NUMBERS)[number], number>

type Node = { class_type: string; inputs: JsonObject }

/** A workflow as ComfyUI exports it for its API, with placeholders in the inputs of its nodes. */
export type Workflow = {
  nodes: Readonly<Record<string, Node>>
  /** The placeholders that it has. */
  has: ReadonlySet<Name>
}

type Read = { workflow: Workflow; problems: string[] } | { workflow: null; problems: string[] }

/** The settings that name a workflow: that of orders with a picture is one of its own. */
export type WorkflowSetting = 'COMFYUI_WORKFLOW' | 'COMFYUI_PICTURE_WORKFLOW'

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g
const NEEDED: readonly Name[] = ['prompt', 'width', 'height']
const EXPORT = 'export it in ComfyUI with Workflow, Export (API)'

/** Reads a workflow file and checks it. Each problem says what to do. */
export function readWorkflow(setting: WorkflowSetting, file: string): Read {
  const broken = (problem: string): Read => ({
    workflow: null,
    problems: [`${setting} ${problem}`],
  })
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    return broken(`cannot be read (${messageOf(error)}): name a file that every process can read`)
  }
  const graph = parsed(text)
  if (graph === undefined) return broken(`is not JSON: ${EXPORT}`)
  const nodes = nodesIn(graph)
  if (nodes === null) return broken(`is not in the format of the API: ${EXPORT}`)
  const found = new Set(Object.values(nodes).flatMap(({ inputs }) => placeholdersIn(inputs)))
  const has = new Set(NAMES.filter((name) => found.has(name)))
  const problems = [
    ...[...found].filter((name) => !isName(name)).map(strange),
    ...NEEDED.filter((name) => !has.has(name)).map(missing),
    ...pictureProblems(setting, has),
  ]
  return { workflow: { nodes, has }, problems: problems.map((problem) => `${setting} ${problem}`) }
}

const isName = (name: string): name is Name => NAMES.some((known) => known === name)
const placeholder = (name: string): string => `{{${name}}}`

const strange = (name: string): string =>
  `has ${placeholder(name)}, which is no placeholder: use ${NAMES.map(placeholder).join(', ')}`

const missing = (name: Name): string =>
  `has no ${placeholder(name)}: write it in place of that value, or every video gets the same`

function pictureProblems(setting: WorkflowSetting, has: ReadonlySet<Name>): string[] {
  if (has.has('picture') === (setting === 'COMFYUI_PICTURE_WORKFLOW')) return []
  return has.has('picture')
    ? ['has {{picture}}: name it in COMFYUI_PICTURE_WORKFLOW, orders here have no picture']
    : ['has no {{picture}}: write it into the input image of its node Load Image']
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function nodesIn(graph: unknown): Record<string, Node> | null {
  const nodes = Object.entries(objectOf(graph)).flatMap(([id, node]) => {
    const { class_type, inputs } = objectOf(node)
    const isNode = typeof class_type === 'string' && isObject(inputs)
    return isNode ? [[id, { class_type, inputs }] as const] : []
  })
  const isWhole = nodes.length > 0 && nodes.length === Object.keys(objectOf(graph)).length
  return isWhole ? Object.fromEntries(nodes) : null
}

function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '')
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(placeholdersIn)
    : []
}

/**
 * Returns the graph of an order. Values are put into the texts of the parsed workflow, in one pass: a
 * prompt cannot change its form, and a placeholder in a prompt stays text. An input that is nothing but
 * a placeholder gets its value as it is, so that numbers are numbers.
 */
export function graphOf({ nodes }: Workflow, values: Values): JsonObject {
  return Object.fromEntries(
    Object.entries(nodes).map(([id, { class_type, inputs }]) => [
      id,
      { class_type, inputs: filled(inputs, values) },
    ]),
  )
}

function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return filledText(value, values)
  if (Array.isArray(value)) return value.map((item) => filled(item, values))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]))
}

function filledText(text: string, values: Values): string | number {
  const [whole, name = ''] = /^\s*\{\{\s*(\w+)\s*\}\}\s*$/.exec(text) ?? []
  if (whole !== undefined && isName(name)) return values[name]
  return text.replaceAll(PLACEHOLDER, (given, word: string) =>
    isName(word) ? String(values[word]) : given,
  )
}
