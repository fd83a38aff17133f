import type { AspectRatio, VideoRequest } from '../port'
import type { Account } from './account'
import type { VertexVeoConfig } from './settings.server'

const ASPECTS: Readonly<Record<AspectRatio, string>> = { portrait: '9:16', landscape: '16:9' }

/** Returns the URL of the model. It uses `v1`: the SDKs' v1beta1 rejects released models. */
export function modelUrl(config: VertexVeoConfig, { project, location }: Account): string {
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`
  const model = encodeURIComponent(config.model)
  return `${config.baseUrl}/v1/${place}/publishers/google/models/${model}`
}

/** Returns the folder of one attempt. Only this attempt writes there, so its clip is found by it. */
export function attemptPrefix(config: VertexVeoConfig, attemptId: string): string {
  return `${config.prefix}${attemptId}/`
}

type Submit = { request: VideoRequest; attemptId: string }

export function submitBody(config: VertexVeoConfig, { request, attemptId }: Submit): string {
  const { prompt, negativePrompt, aspectRatio, durationSeconds, seed, picture, endPicture } =
    request
  const { bucket, personGeneration, generateAudio } = config
  return JSON.stringify({
    instances: [
      {
        prompt,
        ...(picture && { image: imageOf(picture) }),
        ...(endPicture && { lastFrame: imageOf(endPicture) }),
      },
    ],
    parameters: {
      sampleCount: 1,
      durationSeconds,
      aspectRatio: ASPECTS[aspectRatio],
      resolution: '720p',
      // Always sent, because it determines the price.
      generateAudio,
      seed: seed >>> 0,
      ...(negativePrompt === null ? {} : { negativePrompt }),
      ...(personGeneration === undefined ? {} : { personGeneration }),
      storageUri: `gs://${bucket}/${attemptPrefix(config, attemptId)}`,
    },
    labels: { app: 'reelmill', attempt: attemptId },
  })
}

const imageOf = (jpeg: Uint8Array) => ({
  bytesBase64Encoded: Buffer.from(jpeg).toString('base64'),
  mimeType: 'image/jpeg',
})

export function objectUrl(config: VertexVeoConfig, bucket: string, object: string): string {
  return `${bucketUrl(config, bucket)}/o/${encodeURIComponent(object)}?alt=media`
}

/** Returns the URL that lists at most `most` objects under a prefix. */
export function listUrl(config: VertexVeoConfig, prefix: string, most: number): string {
  const query = new URLSearchParams({ prefix, maxResults: String(most) })
  return `${bucketUrl(config, config.bucket)}/o?${query.toString()}`
}

function bucketUrl({ storageUrl }: VertexVeoConfig, bucket: string): string {
  return `${storageUrl}/storage/v1/b/${encodeURIComponent(bucket)}`
}

/** Splits `gs://bucket/object`. Returns null if the text has another form. */
export function parseGcsUri(uri: string): { bucket: string; object: string } | null {
  const parts = /^gs:\/\/([^/]+)\/(.+)$/.exec(uri)
  if (parts === null) return null
  const [, bucket = '', object = ''] = parts
  return { bucket, object }
}
