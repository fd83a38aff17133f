import type { EstimateInputs } from './receipt'

/** What estimates are computed from, for tests: three videos a minute, seven units left today. */
export const TEST_INPUTS: EstimateInputs = {
  speedLimit: 3,
  delaySeconds: 60,
  videoMs: 30_000,
  betweenMs: null,
  isQueue: false,
  places: 30,
  platformPlaces: 500,
  others: 0,
  closedUntil: null,
  limit: 20,
  used: 13,
  remaining: 7,
  clipUnits: 1,
  perDay: 20,
  resetsAt: '2026-11-22T00:00:00Z',
  planEnd: null,
  ahead: null,
}
