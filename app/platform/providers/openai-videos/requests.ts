import { FormData, Response } from 'undici'
import type { VideoRequest } from '../port'
import { DIALECTS, type OpenAiVideosConfig } from './config'

/** The fields of an order, as this dialect names them. */
function orderFields(config: OpenAiVideosConfig, request: VideoRequest): Record<string, unknown> {
  const { prompt, negativePrompt, aspectRatio, durationSeconds, seed } = request
  const isOwn = DIALECTS[config.dialect].host === 'own'
  return {
    model: config.model,
    prompt,
    size: config.sizes[aspectRatio],
    seconds: String(durationSeconds),
    ...(config.framesAt === null
      ? {}
      : { num_frames: frames(config.framesAt, durationSeconds), fps: config.framesAt }),
    ...(isOwn ? { seed: seed >>> 0 } : {}),
    ...(negativePrompt === null ? {} : { negative_prompt: negativePrompt }),
    ...config.extra,
  }
}

/** Such models make 4n+1 frames and nothing else. */
function frames(framesPerSecond: number, seconds: number): number {
  return 4 * Math.round((framesPerSecond * seconds) / 4) + 1
}

type Encoded = { body: string | Buffer; headers: Record<string, string> }

/**
 * The order's whole body, ready to be sent in one piece: an order that goes out in several could be
 * held up between them. The content type of a form names the boundary it chose.
 */
export async function encodeOrder(
  config: OpenAiVideosConfig,
  request: VideoRequest,
): Promise<Encoded> {
  const fields = orderFields(config, request)
  if (config.bodyEncoding === 'json') {
    return { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const encoded = new Response(form)
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? 'multipart/form-data' },
  }
}

export function jobUrl({ baseUrl }: OpenAiVideosConfig, id: string): string {
  return `${baseUrl}/videos/${encodeURIComponent(id)}`
}

export function contentUrl(config: OpenAiVideosConfig, id: string): string {
  return `${jobUrl(config, id)}/content${DIALECTS[config.dialect].contentQuery}`
}
