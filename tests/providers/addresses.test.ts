import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  checkAddress,
  guardedLookup,
  isPrivateIp,
  PRIVATE_NAME,
} from '../../app/platform/providers/http/address.server'
import { virtualClock } from '../simulator/clock'
import { startSimulator } from '../simulator/simulator'
import { memoryClip, openRig, refusalOf, REQUEST, submitCall } from './rig'
import { Secret } from '../../app/platform/secrets/secret'

// Threat S22: a response may name any address as that of its clip.

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const POLICY = {
  configured: ['127.0.0.1:4010'],
  documented: ['api.example.com', '*.cdn.example.com'],
}

const HOSTILE = [
  'file:///etc/passwd',
  'ftp://api.example.com/clip.mp4',
  'data:video/mp4;base64,AAAA',
  'gopher://api.example.com/',
  'http://127.0.0.1/clip.mp4',
  'http://127.0.0.1:4011/clip.mp4',
  'http://localhost:4010/clip.mp4',
  'http://2130706433:4011/clip.mp4',
  'http://0x7f000001:9/clip.mp4',
  'http://0177.0.0.1:9/clip.mp4',
  'http://[::1]/clip.mp4',
  'http://[::ffff:127.0.0.1]/clip.mp4',
  'http://169.254.169.254/computeMetadata/v1/',
  'https://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://10.0.0.1/',
  'https://192.168.1.1/',
  'http://api.example.com/clip.mp4',
  'https://api.example.com:8443/clip.mp4',
  'https://user:password@api.example.com/clip.mp4',
  'https://api.example.com@evil.test/clip.mp4',
  'https://evil.test/api.example.com',
  'https://api.example.com.evil.test/clip.mp4',
  'https://cdn.example.com/clip.mp4',
  'https://notcdn.example.com.evil.test/',
  'https://xcdn.example.com/clip.mp4',
  'no address at all',
  '',
]

test.each(HOSTILE)('S22: %s is refused', (address) => {
  expect(checkAddress(address, POLICY)).toMatchObject({ ok: false })
})

test.each([
  'http://127.0.0.1:4010/clip.mp4',
  'https://api.example.com/v1/clip?jwt=1',
  'https://a.cdn.example.com/clip.mp4',
])('%s is allowed', (address) => {
  expect(checkAddress(address, POLICY)).toMatchObject({ ok: true })
})

test('S22: private networks are recognized in every spelling', () => {
  for (const ip of [
    '10.1.2.3',
    '172.31.0.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    'fe80::1',
  ]) {
    expect(isPrivateIp(ip), ip).toBe(true)
  }
  for (const ip of [
    'fd00::1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
  ]) {
    expect(isPrivateIp(ip), ip).toBe(true)
  }
  for (const ip of ['8.8.8.8', '142.250.1.1', '2607:f8b0::1'])
    expect(isPrivateIp(ip), ip).toBe(false)
})

test('S22: no connection to a public name that resolves to the private network', async () => {
  const look = (policy: typeof POLICY) =>
    new Promise<{ code: string | undefined; address: unknown }>((resolve) => {
      guardedLookup(policy)('localhost', {}, (error, address) => {
        resolve({ code: error?.code, address })
      })
    })
  expect((await look(POLICY)).code).toBe(PRIVATE_NAME)
  const trusted = await look({ ...POLICY, configured: ['localhost:4010'] })
  expect(trusted.code).toBeUndefined()
})

test('S22: a redirect to an unlisted host is not followed, and no token is sent to it', async () => {
  const asked: http.IncomingHttpHeaders[] = []
  const stranger = http.createServer((request, response) => {
    asked.push(request.headers)
    response.end('clip')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  ends.push(async () => stranger.close())
  const rig = await openRig('gateway', { env: { VIDEO_PROVIDER_ASSET_HOSTS: '' } })
  ends.push(rig.stop)
  const { ref, asset } = await rig.finished()
  const refused = await refusalOf(rig.fetch(ref, asset))
  expect(refused.fault).toEqual({ kind: 'permanent', reason: 'protocol' })
  expect(refused.message).toContain('VIDEO_PROVIDER_ASSET_HOSTS')
  const { port } = stranger.address() as AddressInfo
  const elsewhere = {
    at: 'url',
    url: `http://127.0.0.1:${port}/clip.mp4`,
    auth: 'credential',
  } as const
  await refusalOf(rig.fetch(ref, elsewhere))
  expect(asked).toEqual([])
})

test('S22: a trusted host gets only its own token', async () => {
  const clock = virtualClock(Date.UTC(2026, 10, 21))
  const sim = await startSimulator({ clock, scenario: { defaults: { generationMs: 1_000 } } })
  ends.push(sim.stop)
  for (const flavour of ['gateway', 'runway'] as const) {
    const provider = sim.provider(flavour)
    ends.push(() => provider.stop())
    const scope = provider.scopeOf?.('sim-default-token')
    if (!scope?.ok) throw new Error('no scope')
    const credential = {
      id: '1',
      accountScope: scope.accountScope,
      kind: scope.kind,
      secret: new Secret('sim-default-token'),
    }
    const signal = AbortSignal.timeout(10_000)
    const ref = await provider.submit(REQUEST, credential, submitCall('att-1'))
    clock.advance(1_000)
    const result = await provider.poll(ref, credential, signal)
    if (result.state !== 'succeeded') throw new Error(result.state)
    const into = { file: memoryClip(), maxBytes: 9_000_000, idleMs: 5_000, signal }
    await provider.fetch({ ref, asset: result.assets[0] }, credential, into)
  }
  expect(sim.stats()).toMatchObject({ deliveredVideos: 2, credentialsToFiles: 0, secretsInUrl: 0 })
})
