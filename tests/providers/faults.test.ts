import { describe } from 'vitest'
import { QUICK_FLAVOURS } from '../simulator/settings'
import { providerFaults } from './faults'

// The other profiles of `tasks`: faults.slow.test.ts.
describe.each(QUICK_FLAVOURS)('%s', providerFaults)
