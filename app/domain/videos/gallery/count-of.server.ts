import sql, { type Sql } from 'sql-template-tag'
import type { VideoListQuery } from '../schemas'

/**
 * Sums of columns of `galleries` that count the videos matching a status and an aspect ratio
 * filter.
 */
export const COUNT_OF = {
  all: {
    all: sql`pending_portrait + pending_landscape + generating_portrait + generating_landscape
      + completed_portrait + completed_landscape + error_portrait + error_landscape`,
    portrait: sql`pending_portrait + generating_portrait + completed_portrait + error_portrait`,
    landscape: sql`pending_landscape + generating_landscape + completed_landscape + error_landscape`,
  },
  completed: {
    all: sql`completed_portrait + completed_landscape`,
    portrait: sql`completed_portrait`,
    landscape: sql`completed_landscape`,
  },
  pending: {
    all: sql`pending_portrait + pending_landscape + generating_portrait + generating_landscape`,
    portrait: sql`pending_portrait + generating_portrait`,
    landscape: sql`pending_landscape + generating_landscape`,
  },
  error: {
    all: sql`error_portrait + error_landscape - cancelled`,
    portrait: sql`error_portrait - (cancelled - cancelled_landscape)`,
    landscape: sql`error_landscape - cancelled_landscape`,
  },
  cancelled: {
    all: sql`cancelled`,
    portrait: sql`cancelled - cancelled_landscape`,
    landscape: sql`cancelled_landscape`,
  },
} as const satisfies Record<VideoListQuery['status'], Record<VideoListQuery['aspectRatio'], Sql>>
