import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '../responses/respond.server'

const REFUSALS: Record<string, { status: string; text: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    text: 'The address or the headers of this request are too long',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', text: 'The request did not arrive' },
}
const OTHERWISE = { status: '400 Bad Request', text: 'This is not an HTTP request' }

/**
 * Responds to a request whose head cannot be read, for the server's `clientError`, and closes the
 * connection. It never reaches Express, so its path is unknown: the response is JSON for everybody. A
 * connection on which something was sent before is only closed: that response may not be complete.
 */
export function refuseHead(error: NodeJS.ErrnoException, connection: Duplex): void {
  const isFresh = connection instanceof Socket && connection.bytesWritten === 0
  if (!connection.writable || !isFresh) return void connection.destroy()
  const { status, text } = REFUSALS[error.code ?? ''] ?? OTHERWISE
  const refused: Omit<ErrorBody, 'requestId'> = { error: text, code: 'BAD_INPUT' }
  const body = JSON.stringify(refused)
  connection.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => connection.destroy(),
  )
}
