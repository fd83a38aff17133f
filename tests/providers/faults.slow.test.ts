import { describe } from 'vitest'
import { FLAVOURS, QUICK_FLAVOURS } from '../simulator/settings'
import { providerFaults } from './faults'

const others = FLAVOURS.filter((flavour) => !QUICK_FLAVOURS.includes(flavour))
describe.each(others)('%s', providerFaults)
