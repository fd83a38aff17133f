/**
 * Whether a client holds the version with this tag already (If-None-Match, RFC 9110 §13.1.2): any of
 * several tags, weak or strong, or `*`.
 */
export function holdsVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim())
  return known.some((tag) => tag === '*' || bare(tag) === bare(etag))
}

const bare = (tag: string): string => tag.replace(/^W\//, '')
