import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { startEngine, type Engine, type EngineOptions } from './engine'
import { playCalm } from './make-video'
import { PATIENCE_MS } from './trials'

/**
 * Starts the engine that the tests of a file share, before the hooks that the file adds later. After
 * each test no sweep may find anything to repair, the invariants have to hold, and the provider is
 * calm again. The tests that follow may take long.
 */
export function useEngine(options?: EngineOptions): Engine {
  vi.setConfig({ testTimeout: PATIENCE_MS })
  const engine = {} as Engine
  beforeAll(async () => {
    Object.assign(engine, await startEngine(options))
  })
  afterAll(() => engine.close())
  afterEach(async () => {
    playCalm(engine)
    expect(await engine.sweep()).toBe(0)
    expect(await engine.violations()).toEqual({})
  })
  return engine
}

/**
 * Returns an engine that each test, or a hook before it, starts for itself. After each test the
 * invariants have to hold and no job may have thrown; then the engine is closed. The tests that
 * follow may take long.
 */
export function useFreshEngine() {
  vi.setConfig({ testTimeout: PATIENCE_MS })
  const engine = {} as Engine
  afterEach(async () => {
    expect(await engine.violations()).toEqual({})
    expect(await engine.jobErrors()).toEqual([])
    await engine.close()
  })
  const start = async (options?: EngineOptions): Promise<void> => {
    Object.assign(engine, await startEngine(options))
  }
  return { engine, start }
}
