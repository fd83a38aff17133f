import { afterEach, beforeEach, vi } from 'vitest'

// Fails a test that prints an unexpected error or warning.
const METHODS = ['error', 'warn'] as const

beforeEach(() => {
  for (const method of METHODS) vi.spyOn(console, method)
})

afterEach(() => {
  const printed = METHODS.flatMap((method) => vi.mocked(console[method]).mock.calls)
  vi.restoreAllMocks()
  if (printed.length > 0) throw new Error(`unexpected console output: ${JSON.stringify(printed)}`)
})
