import { assertNever } from '~/lib/assert-never'
import type { ChargeReason, ChargeState } from './types'

const CHARGE_REASONS: Record<ChargeReason, string> = {
  generate: 'Generated',
  bulk: 'Generated in a batch',
  retry: 'Retried',
  regenerate: 'Regenerated',
  edit: 'Generated with a changed prompt',
}

/** Returns the label for the reason of a charge. */
export const chargeText = (reason: ChargeReason): string => CHARGE_REASONS[reason]

/** Returns the text for the state of a charge. */
export function outcomeText(state: ChargeState, counts: boolean, units: number): string {
  switch (state) {
    case 'reserved':
      return counts ? `${units} reserved while it is being made` : '0: the counter was reset since'
    case 'charged':
      return counts ? `${units} charged on delivery` : '0: the counter was reset since'
    case 'returned':
      return 'Returned: no video was made'
    default:
      return assertNever(state)
  }
}
