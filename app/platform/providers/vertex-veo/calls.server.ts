import { responseError, isSuccess, jsonOf, unreadable, type HttpResponse } from '../http/responses'
import { ask } from '../http/ask.server'
import type { Call } from '../http/service.server'
import type { Exchange, Wire } from '../http/wire.server'
import type { ProviderIo } from '../io'
import { ProviderError } from '../port'
import type { VertexVeoConfig } from './settings.server'
import { readRefusal } from './errors'
import { openMint, type Mint } from './mint.server'
import { listUrl, parseGcsUri } from './requests'
import { objectList } from './wire'

export type Calls = {
  /**
   * Calls with the credential's token. If a minted token is no longer valid, it is replaced and the
   * call is repeated once: a call that was refused for its token cannot have placed an order. Throws
   * ProviderError.
   */
  withToken<T>(input: Call, call: (token: string) => Promise<T>): Promise<T>
  /**
   * Sends one request and returns its response with the body, and the token that it was sent with. Throws
   * the error of a refusal.
   */
  askJson(input: Call, exchange: Asked): Promise<HttpResponse & { token: string }>
  /** Returns the names of the clips in a `gs://bucket/folder/`, sorted by name. */
  listClips(input: Call, folder: string): Promise<readonly { bucket: string; object: string }[]>
  headers(token: string): Record<string, string>
}

type Asked = Pick<Exchange, 'method' | 'body'> & { url: string }

const MOST_LISTED = 20

/** Creates calls to Google's API: bearer tokens, including minted ones, and Google's errors. */
export function vertexCalls(config: VertexVeoConfig, wire: Wire, io: ProviderIo): Calls {
  const withToken = tokenCalls(openMint({ wire, tokenUrl: config.tokenUrl, io }))

  const headers = (token: string): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    ...(config.quotaProject === undefined ? {} : { 'x-goog-user-project': config.quotaProject }),
  })

  const askJson: Calls['askJson'] = (input, { url, method, body }) =>
    withToken(input, async (token) => {
      const { credential: _, ...purpose } = input
      const content = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await ask(wire, {
        ...purpose,
        method,
        url: new URL(url),
        headers: { ...headers(token), ...content },
        ...(body === undefined ? {} : { body }),
        secrets: [token],
      })
      if (isSuccess(response)) return { ...response, token }
      const { step } = input
      const reading = readRefusal(step, response, io.now())
      throw responseError({ step, response, reading, secrets: [token] })
    })

  return {
    withToken,
    askJson,
    headers,
    listClips: (input, folder) => listClips({ config, askJson }, input, folder),
  }
}

function tokenCalls(mint: Mint): Calls['withToken'] {
  return async ({ step, credential, signal }, call) => {
    const { token, isKept } = await mint.bearerFor(credential, step, signal)
    try {
      return await call(token)
    } catch (error) {
      if (!isKept || !isUnauthorized(error)) throw error
      await mint.forget(credential, token)
      return await call((await mint.bearerFor(credential, step, signal)).token)
    }
  }
}

type Lister = { config: VertexVeoConfig; askJson: Calls['askJson'] }

async function listClips({ config, askJson }: Lister, input: Call, folder: string) {
  const place = parseGcsUri(folder)
  if (place === null) return []
  const { bucket, object } = place
  const url = listUrl({ ...config, bucket }, object, MOST_LISTED)
  const response = await askJson(input, { method: 'GET', url })
  const { step } = input
  const list = objectList.safeParse(jsonOf(response))
  if (!list.success) {
    throw responseError({ step, response, reading: unreadable(step, response), secrets: [] })
  }
  return (list.data.items ?? [])
    .filter(({ name, size }) => name.endsWith('.mp4') && size !== '0')
    .map(({ name }) => ({ bucket, object: name }))
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ProviderError && error.fault.kind === 'unauthorized'
}
