import { responseError, cleaned, jsonOf, unreadable } from '../http/responses'
import { ageOf } from '../http/pace'
import type { Inquiry, ServiceContext } from '../http/service.server'
import { ProviderError, type AssetRef, type OrderRef, type PollResult } from '../port'
import { errorIn } from '../reading/errors'
import type { Calls } from './calls.server'
import type { VertexVeoConfig } from './settings.server'
import { accountOf } from './account'
import { readRefusal } from './errors'
import { readOperation } from './operations'
import { modelUrl } from './requests'
import { operation } from './wire'

export type Context = ServiceContext & { config: VertexVeoConfig; calls: Calls }

function operationCall({ config }: Context, ref: OrderRef): { url: string; body: string } {
  const [resource = ''] = ref.id.split('/operations/')
  const isPlain = /^projects\/[^/?#]+\/locations\/[^/?#]+\/publishers\/google\/models\/[^/?#]+$/
  const model = { ...config, model: ref.model }
  const base = isPlain.test(resource)
    ? `${config.baseUrl}/v1/${resource}`
    : modelUrl(model, accountOf(ref.accountScope, config))
  const body = JSON.stringify({ operationName: ref.id })
  return { url: `${base}:fetchPredictOperation`, body }
}

/**
 * Returns the state of an order. A failed order is a result. Throws ProviderError if the request
 * fails.
 */
export async function pollOperation(
  context: Context,
  ref: OrderRef,
  input: Inquiry,
): Promise<PollResult> {
  const { config, io } = context
  // Found by its folder after its response was lost: the operation is unknown.
  if (ref.id.startsWith('gs://')) return (await clipsIn(context, ref, input)) ?? gone()
  try {
    // A POST that places no order.
    const { url, body } = operationCall(context, ref)
    const response = await context.calls.askJson(input, { method: 'POST', url, body })
    const parsed = operation.safeParse(jsonOf(response))
    if (!parsed.success) {
      const isRefusal = errorIn(jsonOf(response)) !== null
      const reading = isRefusal
        ? readRefusal('poll', response, io.now())
        : unreadable('poll', response)
      throw responseError({ step: 'poll', response, reading, secrets: [response.token] })
    }
    const ageMs = ageOf(ref, io.now())
    const result = readOperation(parsed.data, { ageMs, timeScale: config.timeScale })
    if (result === 'lost') return (await clipsIn(context, ref, input)) ?? LOST
    return cleaned({ ...result, ...makerOf(result, ref) }, [response.token])
  } catch (error) {
    if (!isJobGone(error)) throw error
    const clips = await clipsIn(context, ref, input)
    if (clips === null) throw error
    return clips
  }
}

/**
 * Returns the attempt in whose folder the clip is. Each attempt's folder is beside the others' and has its
 * id as its name, so the clip of another attempt shows that the operation is not this one's.
 */
function makerOf(result: PollResult, { data }: OrderRef): Pick<PollResult, 'attemptId'> {
  if (result.state !== 'succeeded' || data?.folder === undefined) return {}
  const [asset] = result.assets
  if (asset.at !== 'gcs') return {}
  const place = `gs://${asset.bucket}/${asset.object}`
  const beside = data.folder.slice(0, data.folder.lastIndexOf('/', data.folder.length - 2) + 1)
  const attemptId = place.startsWith(beside) ? place.slice(beside.length).split('/')[0] : undefined
  return attemptId === undefined ? {} : { attemptId }
}

const LOST: PollResult = {
  state: 'failed',
  fault: { kind: 'transient' },
  evidence: { message: 'the operation is done and names neither a clip nor a reason' },
}

function isJobGone(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false
  return error.fault.kind === 'permanent' && error.fault.reason === 'job-gone'
}

function gone(): never {
  const fault = { kind: 'permanent', reason: 'job-gone' } as const
  throw new ProviderError(fault, 'accepted', { message: 'the folder of the order is empty' })
}

/** Returns the clips in the order's own folder, or null if there is no folder or no clip. */
async function clipsIn(
  context: Context,
  ref: OrderRef,
  input: Inquiry,
): Promise<PollResult | null> {
  const folder = ref.data?.folder
  if (folder === undefined) return null
  const assets = (await context.calls.listClips(input, folder)).map(toAsset)
  const [first, ...more] = assets
  return first === undefined ? null : { state: 'succeeded', assets: [first, ...more] }
}

/** Returns the reference to a clip in a bucket. */
export const toAsset = (place: { bucket: string; object: string }): AssetRef => ({
  at: 'gcs',
  ...place,
})
