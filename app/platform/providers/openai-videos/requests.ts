import { FormData, Response } from 'undici'
import type { VideoRequest } from '../port'
import { DIALECTS } from './dialects'
import type { OpenAiVideosConfig } from './settings.server'

/** Returns the fields of an order, as this dialect names them. */
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

/** Returns the number of frames: models that count frames support only 4n+1. */
function frames(framesPerSecond: number, seconds: number): number {
  return 4 * Math.round((framesPerSecond * seconds) / 4) + 1
}

type Encoded = { body: string | Buffer; headers: Record<string, string> }

/**
 * Returns the complete body of an order, to be sent in one piece. If it were sent in several, it
 * could be delayed between them. The content type of a form contains its boundary. A picture is
 * always sent in a form.
 */
export async function encodeOrder(
  config: OpenAiVideosConfig,
  request: VideoRequest,
): Promise<Encoded> {
  const fields = orderFields(config, request)
  const { picture } = request
  if (config.bodyEncoding === 'json' && picture === undefined) {
    return { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (picture !== undefined) {
    const file = new Blob([new Uint8Array(picture)], { type: 'image/jpeg' })
    form.append('input_reference', file, 'picture.jpg')
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
