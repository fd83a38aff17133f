import type { StatusFilter } from '~/domain/videos/types'

/** The words of Delete All, by status filter (specification §2). */
export const DELETE_ALL_WORDS = {
  all: { button: 'Delete All', what: 'ALL' },
  completed: { button: 'Delete All Success', what: 'all SUCCESS' },
  pending: { button: 'Delete All Pending', what: 'all PENDING' },
  error: { button: 'Delete All Failed', what: 'all FAILED' },
} as const satisfies Record<StatusFilter, { button: string; what: string }>
