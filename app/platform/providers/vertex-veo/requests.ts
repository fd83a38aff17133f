import type { AspectRatio, VideoRequest } from '../port'
import type { VertexVeoConfig } from './config'

/** The account part of a scope: `vertex:{project}:{location}`. */
export type Account = { project: string; location: string }

const ASPECTS: Readonly<Record<AspectRatio, string>> = { portrait: '9:16', landscape: '16:9' }

export const scopeText = ({ project, location }: Account): string => `vertex:${project}:${location}`

/** The account a scope names; the configured one when the scope is of another making. */
export function accountOf(scope: string, fallback: Account): Account {
  // Old Google projects carry their domain: example.com:project.
  const parts = /^vertex:(.+):([a-z0-9-]+)$/.exec(scope)
  if (parts === null) return fallback
  const [, project = fallback.project, location = fallback.location] = parts
  return { project, location }
}

/** Google's own address for a location; regional unless it is `global`, `us` or `eu`. */
export function hostOfLocation(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com'
  if (location === 'us' || location === 'eu') {
    return `https://aiplatform.${location}.rep.googleapis.com`
  }
  return `https://${location}-aiplatform.googleapis.com`
}

/** The model's resource. `v1`: the SDKs' v1beta1 refuses released models. */
export function modelUrl(config: VertexVeoConfig, { project, location }: Account): string {
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`
  const model = encodeURIComponent(config.model)
  return `${config.baseUrl}/v1/${place}/publishers/google/models/${model}`
}

/** The folder of one attempt: only this attempt writes there, so what lies in it is its clip. */
export function attemptPrefix(config: VertexVeoConfig, attemptId: string): string {
  return `${config.prefix}${attemptId}/`
}

type Submit = { request: VideoRequest; attemptId: string }

export function submitBody(config: VertexVeoConfig, { request, attemptId }: Submit): string {
  const { prompt, negativePrompt, aspectRatio, durationSeconds, seed } = request
  const { bucket, personGeneration, generateAudio } = config
  return JSON.stringify({
    instances: [{ prompt }],
    parameters: {
      sampleCount: 1,
      durationSeconds,
      aspectRatio: ASPECTS[aspectRatio],
      resolution: '720p',
      // Always sent: it decides the price.
      generateAudio,
      seed: seed >>> 0,
      ...(negativePrompt === null ? {} : { negativePrompt }),
      ...(personGeneration === undefined ? {} : { personGeneration }),
      ...(bucket === undefined
        ? {}
        : { storageUri: `gs://${bucket}/${attemptPrefix(config, attemptId)}` }),
    },
    labels: { app: 'reelmill', attempt: attemptId },
  })
}

export function objectUrl(config: VertexVeoConfig, bucket: string, object: string): string {
  return `${bucketUrl(config, bucket)}/o/${encodeURIComponent(object)}?alt=media`
}

/** The objects under a prefix, at most `most`. */
export function listUrl(config: VertexVeoConfig, prefix: string, most: number): string {
  const query = new URLSearchParams({ prefix, maxResults: String(most) })
  return `${bucketUrl(config, config.bucket ?? '')}/o?${query.toString()}`
}

function bucketUrl({ storageUrl }: VertexVeoConfig, bucket: string): string {
  return `${storageUrl}/storage/v1/b/${encodeURIComponent(bucket)}`
}

/** `gs://bucket/object` in its parts. */
export function parseGcsUri(uri: string): { bucket: string; object: string } | null {
  const parts = /^gs:\/\/([^/]+)\/(.+)$/.exec(uri)
  if (parts === null) return null
  const [, bucket = '', object = ''] = parts
  return { bucket, object }
}
