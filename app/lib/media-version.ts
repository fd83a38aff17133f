type Versioned = { regenerateCount: number; completedAt: string | null }

/**
 * Returns a query for the URLs of a video's files that differs after each regeneration. A regeneration
 * replaces the files under the same path, and a browser that has cached part of the old clip would
 * continue it with bytes of the new one.
 */
export const mediaVersion = ({ regenerateCount, completedAt }: Versioned): string =>
  regenerateCount > 0 ? `?v=${Date.parse(completedAt ?? '') || 0}` : ''
