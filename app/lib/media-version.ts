type Versioned = { regenerateCount: number; completedAt: string | null }

/**
 * Returns the query that makes the address of a video's files differ after each regeneration. It
 * replaces the files under the same path, and a browser that still has a part of the old clip would
 * continue it with bytes of the new one.
 */
export const mediaVersion = ({ regenerateCount, completedAt }: Versioned): string =>
  regenerateCount > 0 ? `?v=${Date.parse(completedAt ?? '') || 0}` : ''
