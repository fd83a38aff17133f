import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { describedCalls } from '../../app/http/endpoints/calls/table.server'
import { SOME_ID, SOME_PASSWORD, SOME_PHONE } from '../../app/http/endpoints/calls/examples'
import {
  jsonSchema,
  type DescribedCall,
  type Schema,
} from '../../app/http/endpoints/calls/openapi.server'
import { FILE } from '../../app/http/endpoints/calls/served-before.server'
import { ALL_OF_THEM } from '../../app/http/endpoints/api.server'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { makeVideos } from '../support/videos'

// Sends every call of docs/api.md with the example of the OpenAPI document, and compares what comes back
// with the documented answer. The tests write videos directly into the tables, so the engine's
// invariants do not hold here.
const product = useInstallation()

/** Examples that nobody can send: what they name is made by the product. */
const REFUSED: Record<string, string> = {
  'POST /api/auth/login/code': 'CONFLICT',
  'PUT /api/account/device': 'FORBIDDEN',
  'POST /api/codes/redeem': 'NOT_FOUND',
}

/** Who calls, and the ids of what the call is about. */
type Scene = { caller: TestUser; ids: Record<string, string>; named: string }

async function prepare({ name, who }: DescribedCall): Promise<Scene> {
  const isAdmin = who === 'admin'
  const caller = await product.user({
    plan: 'Enterprise',
    video_limit: 500,
    ...(isAdmin && { role: 'admin' as const }),
  })
  const admin = isAdmin ? caller : await product.user({ role: 'admin' })
  const status = name.includes('retry') ? 'error' : 'completed'
  const [one] = await makeVideos(product, caller.userId, [{ status }])
  const videoId = one?.id ?? ''
  const created = async (path: string, body: object) =>
    (await admin.post<{ id: string }>(path, body)).body.id
  const ids: Record<string, string> = { videoId }
  if (name.includes('prompt'))
    ids.promptId = await created('/api/admin/prompts', { text: 'A kite' })
  if (name.includes(':tokenId'))
    ids.tokenId = await created('/api/admin/extra-tokens', { token: `token-${videoId}` })
  if (name.includes(':userId')) ids.userId = (await product.user()).userId
  if (name.includes(':collectionId')) {
    const { body } = await caller.post<{ id: string }>('/api/collections', { name: 'Kites' })
    ids.collectionId = body.id
  }
  if (name.includes(':batchId')) ids.batchId = await batchFor(caller, name)
  if (name.includes('/videos/deleted')) await caller.call('DELETE', `/api/videos/${videoId}`)
  return { caller, ids, named: name.includes('delete-selected') ? (ids.promptId ?? '') : videoId }
}

/** A batch on which the call of this name can act. */
async function batchFor(caller: TestUser, name: string): Promise<string> {
  const order = async (queue: boolean) => {
    const prompts = ['A kite', 'A boat']
    const { body } = await caller.post<{ batchId: string }>('/api/videos/bulk-generate', {
      prompts,
      queue,
    })
    return body.batchId
  }
  const id = await order(false)
  if (name.endsWith('resume')) await caller.post(`/api/batches/${id}/pause`)
  if (name.endsWith('retry-failed')) await caller.post(`/api/batches/${id}/cancel`)
  const isOfLine = name.endsWith('move-up') || name.endsWith('restore')
  const queued = isOfLine ? await order(true) : id
  if (name.endsWith('restore')) await caller.post(`/api/batches/${queued}/cancel`)
  return queued
}

function addressOf({ name, query }: DescribedCall, ids: Scene['ids']): string {
  const path = name
    .slice(name.indexOf(' ') + 1)
    .replace(/:(\w+)/g, (_, id: string) => ids[id] ?? '')
  const { required = [], properties = {} }: Schema = query ? jsonSchema(query) : {}
  const needed = required.map((field): [string, string] => [
    field,
    properties[field]?.enum?.[0] ?? '',
  ])
  return needed.length === 0 ? path : `${path}?${new URLSearchParams(needed)}`
}

function bodyOf({ example, body, name }: DescribedCall, { caller, named }: Scene): unknown {
  if (example === undefined) return body === ALL_OF_THEM || name.startsWith('POST') ? {} : undefined
  const isOwn = /login|change-password/.test(name)
  const phone = isOwn ? caller.username : `92${phones++}`
  const password = isOwn ? 'secret-1' : SOME_PASSWORD
  const text = JSON.stringify(example)
    .replaceAll(SOME_ID, named)
    .replaceAll(SOME_PHONE, phone)
    .replaceAll(`"${SOME_PASSWORD}"`, `"${password}"`)
  return JSON.parse(text) as unknown
}
let phones = 3_001_234_000

describe('each call answers as docs/api.md and the OpenAPI document say', () => {
  const calls = describedCalls()

  test.each(calls)('issue 50.10: $name', async (call) => {
    const scene = await prepare(call)
    const [method = ''] = call.name.split(' ')
    const address = addressOf(call, scene.ids)
    const key = { 'idempotency-key': `example-${scene.caller.userId}` }
    const send = (headers: Record<string, string> = {}) =>
      scene.caller.call(method, address, bodyOf(call, scene), headers)
    if (call.answer === FILE) {
      const init = { headers: { 'content-type': 'application/json' } }
      const body = bodyOf(call, scene)
      const file = await scene.caller.send(method, address, {
        ...init,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      expect(file.status).toBe(200)
      expect(file.headers.get('content-type')).not.toContain('json')
      await file.arrayBuffer()
      return
    }
    const { status, body, headers } = await send(key)
    const refusal = REFUSED[call.name]
    if (refusal !== undefined) {
      expect(body).toMatchObject({ code: refusal })
      expect(Object.keys(call.errors ?? {})).toContain(refusal)
      return
    }
    expect({ status, body }).toMatchObject({ status: call.status ?? 200 })
    // A field that no document names would be left out of what is read.
    expect(call.answer.parse(body)).toEqual(body)
    if (call.takesKey) expect((await send(key)).body).toEqual(body)
    if (call.hasETag) {
      const etag = headers.get('etag') ?? ''
      const again = await scene.caller.send('GET', address, { headers: { 'if-none-match': etag } })
      expect(again.status).toBe(304)
    }
  })

  test('issue 50.10: the OpenAPI document is valid and has every call', async () => {
    const response = await product
      .client()
      .get<{ paths: Record<string, object> }>('/api/openapi.json')
    expect(response.status).toBe(200)
    const result = await new Validator().validate(response.body)
    expect(result).toMatchObject({ valid: true })
    const offered = Object.entries(response.body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const text = JSON.stringify(response.body)
    const names = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(calls.length)
    const { caller } = await prepare(calls[0]!)
    expect(text).toContain(`"in":"cookie","name":"${caller.cookies()[0]?.name}"`)
    expect(offered.sort()).toEqual(calls.map(({ name }) => name.replace(/:(\w+)/g, '{$1}')).sort())
  })
})
