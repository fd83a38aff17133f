import { createHash } from 'node:crypto'
import { FormData, Response } from 'undici'
import type { VideoRequest } from '../port'
import type { JsonObject } from '../reading/json'
import type { ComfyUiConfig } from './settings.server'
import { graphOf } from './workflow.server'

const hashOf = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex')

/** Returns our own id of an order, always the same one. ComfyUI takes only UUIDs. */
export function promptIdOf(attemptId: string): string {
  const hex = hashOf(attemptId)
  const [version, variant] = [`8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [hex.slice(0, 8), hex.slice(8, 12), version, variant, hex.slice(20, 32)].join('-')
}

/** Returns the workflow of an order. `picture`: the name of its picture at the server, or null. */
export function orderedGraph(
  { workflow, pictureWorkflow, sizes, framesPerSecond }: ComfyUiConfig,
  { prompt, negativePrompt, aspectRatio, durationSeconds, seed }: VideoRequest,
  picture: string | null,
): JsonObject {
  return graphOf(picture === null ? workflow : (pictureWorkflow ?? workflow), {
    ...sizes[aspectRatio],
    prompt,
    negative: negativePrompt ?? '',
    picture: picture ?? '',
    seconds: durationSeconds,
    // Models for videos make 4n+1 frames.
    frames: 4 * Math.round((framesPerSecond * durationSeconds) / 4) + 1,
    seed: seed >>> 0,
  })
}

/** Returns the form of a picture. Its name is its content: the same picture is stored once. */
export async function pictureForm(picture: Uint8Array): Promise<{ body: Buffer; type: string }> {
  const form = new FormData()
  const file = new Blob([new Uint8Array(picture)], { type: 'image/jpeg' })
  form.append('image', file, `reelmill-${hashOf(picture).slice(0, 32)}.jpg`)
  form.append('overwrite', 'true')
  const encoded = new Response(form)
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    type: encoded.headers.get('content-type') ?? 'multipart/form-data',
  }
}
