import { isSuccess, jsonOf } from '../http/responses'
import { ProviderError } from '../port'
import { isObject } from '../reading/json'
import { askRaw, refusal, type Context } from './calls.server'

/** Reads the workflow files again, and asks the server whether it knows their nodes. */
export async function problemsOf(context: Context, signal: AbortSignal): Promise<string[]> {
  const { fileProblems, workflow, pictureWorkflow, baseUrl } = context.config
  const inFiles = fileProblems()
  if (inFiles.length > 0) return inFiles
  const nodes = [workflow, pictureWorkflow].flatMap((one) => Object.values(one?.nodes ?? {}))
  const names = [...new Set(nodes.map(({ class_type }) => class_type))]
  const problems: string[] = []
  try {
    for (const name of names) {
      if (!(await isUnknown(context, signal, name))) continue
      problems.push(
        `ComfyUI does not know the node ${name}: install its package there, or export the workflow without it`,
      )
    }
    return problems
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { host } = new URL(baseUrl)
    return [
      `ComfyUI does not answer at ${host} (${error.evidence.message}): start it, or correct VIDEO_PROVIDER_URL`,
    ]
  }
}

async function isUnknown(context: Context, signal: AbortSignal, name: string): Promise<boolean> {
  const call = { step: 'check', signal } as const
  const path = `/object_info/${encodeURIComponent(name)}`
  const response = await askRaw(context, call, { path })
  // A name with a slash has no address of its own.
  if (response.status === 404 && name.includes('/')) return false
  const said = jsonOf(response)
  if (!isSuccess(response) || !isObject(said)) throw refusal(context, call, response)
  return !Object.hasOwn(said, name)
}
