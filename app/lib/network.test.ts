import { expect, test } from 'vitest'
import { networkOf } from './network.server'

const same = (part: 'network' | 'block', a: string, b: string) =>
  networkOf(a)[part] === networkOf(b)[part]

test('an IPv4 address is one subscriber, and its /24 is one block', () => {
  expect(same('network', '198.51.100.7', '198.51.100.8')).toBe(false)
  expect(same('block', '198.51.100.7', '198.51.100.8')).toBe(true)
  expect(same('block', '198.51.100.7', '198.51.101.7')).toBe(false)
  expect(networkOf('::ffff:198.51.100.7')).toEqual(networkOf('198.51.100.7'))
})

test('an IPv6 /64 is one subscriber and a /48 is one block, in any notation', () => {
  expect(same('network', '2001:db8:1:2::1', '2001:0db8:0001:0002:ffff::9')).toBe(true)
  expect(same('network', '2001:db8:1:2::1', '2001:db8:1:3::1')).toBe(false)
  expect(same('block', '2001:db8:1:2::1', '2001:db8:1:3::1')).toBe(true)
  expect(same('block', '2001:db8:1::1', '2001:db8:2::1')).toBe(false)
})

test('text that is not an address is a network of its own', () =>
  expect(networkOf('')).toEqual({ network: '', block: '' }))
