/**
 * Returns the query that makes the address of a video's files differ after each completion. A
 * regeneration replaces the files under the same path, and a browser that still has a part of the old
 * clip would continue it with bytes of the new one.
 */
export const mediaVersion = (completedAt: string | null): string =>
  `?v=${Date.parse(completedAt ?? '') || 0}`
