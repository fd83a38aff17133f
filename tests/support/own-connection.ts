import { Agent, fetch as undiciFetch, type RequestInit as UndiciInit } from 'undici'
import { Client } from './client'

/**
 * Returns a client with one kept-alive connection of its own, as an open page has, in a network that
 * a proxy would report. The server has to trust one proxy.
 */
export function clientFrom(network: string, base: string): Client {
  const dispatcher = new Agent({ connections: 1 })
  const send = (input: URL, init: UndiciInit = {}) => {
    const headers = new Headers(init.headers as HeadersInit)
    headers.set('x-forwarded-for', network)
    return undiciFetch(input, { ...init, headers: [...headers], dispatcher })
  }
  return new Client(base, send as unknown as typeof fetch)
}
