import type { AppError } from '~/domain/errors'

/** The body of every failed JSON call. */
export type ErrorBody = {
  error: string
  code: string
  fields?: Record<string, string[]>
  requestId: string
}

export function errorBody({ message, code, fields }: AppError, requestId: string): ErrorBody {
  return { error: message, code, ...(fields && { fields }), requestId }
}

export function errorHeaders({ retryAfterSeconds }: AppError): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
}
