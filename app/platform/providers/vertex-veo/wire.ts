import { z } from 'zod'

// Google adds fields at any time and omits empty ones: unknown keys are accepted, and most are
// optional.

export const submitResponse = z.object({ name: z.string().min(1) })

const video = z.object({
  gcsUri: z.string().optional(),
  /** Gemini's name for it. */
  uri: z.string().optional(),
  bytesBase64Encoded: z.string().optional(),
})
export type WireVideo = z.output<typeof video>

const samples = z.array(z.object({ video: video.optional() })).optional()
const response = z.object({
  raiMediaFilteredCount: z.number().optional(),
  raiMediaFilteredReasons: z.array(z.string()).optional(),
  raiErrorMessage: z.string().optional(),
  raiTextFilteredReason: z.string().optional(),
  videos: z.array(video).optional(),
  generatedSamples: samples,
  generatedVideos: samples,
  generateVideoResponse: z.object({ generatedSamples: samples }).optional(),
})
export type WireResponse = z.output<typeof response>

const status = z.object({
  code: z.coerce.number().optional().catch(undefined),
  message: z.string().optional(),
})

export const operation = z.object({
  name: z.string(),
  done: z
    .union([z.boolean(), z.enum(['true', 'false']), z.number()])
    .nullish()
    .transform((done) => done === true || done === 'true' || done === 1),
  error: status.nullish(),
  response: response.nullish(),
})
export type WireOperation = z.output<typeof operation>

const detail = z
  .object({
    '@type': z.string().optional(),
    reason: z.string().optional(),
    retryDelay: z.string().optional(),
  })
  .catch({})

/** The body of every error response: `{"error": {code, message, status, details}}`. */
export const errorBody = z.object({
  error: z.object({
    message: z.string().catch(''),
    status: z.string().optional(),
    details: z.array(detail).optional().catch(undefined),
  }),
})
export type WireError = z.output<typeof errorBody>['error']

export const objectList = z.object({
  items: z.array(z.object({ name: z.string(), size: z.string().optional() })).optional(),
})

export const mintResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
})

/** An error response of the token service. */
export const mintRefusal = z.object({
  error: z.string(),
  error_description: z.string().optional(),
})

/**
 * The fields of a service-account key file that are used. Its token address is not, because a key
 * could name any host.
 */
export const serviceAccountKey = z.object({
  type: z.literal('service_account'),
  project_id: z.string().regex(/^[a-z0-9.:-]{1,63}$/),
  private_key_id: z.string().optional(),
  private_key: z.string().includes('PRIVATE KEY'),
  client_email: z.string().min(3),
})
export type ServiceAccountKey = z.output<typeof serviceAccountKey>
