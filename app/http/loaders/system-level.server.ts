import { findingsOf } from '~/domain/health/findings'
import { getSystemFacts } from '~/domain/health/status.server'
import type { Level } from '~/domain/health/types'
import type { Deps } from '~/domain/context'
import { seconds } from '~/lib/time'

const FRESH_MS = seconds(20)

let last: { level: Level; at: number } = { level: 'ok', at: -Infinity }
let isLooking = false

/**
 * Returns the worst level of the System page, for the menu of every administrator's page. It waits
 * for nothing: it is the level of the last look, and starts another one if that is old.
 */
export function readSystemLevel(deps: Deps): Level {
  if (!isLooking && Date.now() - last.at > FRESH_MS) void look(deps)
  return last.level
}

async function look(deps: Deps): Promise<void> {
  isLooking = true
  try {
    const [worst] = findingsOf(await getSystemFacts(deps))
    last = { level: worst?.level ?? 'ok', at: Date.now() }
  } catch (error) {
    deps.log.warn({ err: error }, 'the state of the system could not be read')
  } finally {
    isLooking = false
  }
}
