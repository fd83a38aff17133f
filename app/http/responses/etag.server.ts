/**
 * Returns whether the client already has the version with this tag (If-None-Match, RFC 9110
 * §13.1.2). The header may contain several tags, weak or strong, or `*`.
 */
export function holdsVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim())
  return known.some((tag) => tag === '*' || bare(tag) === bare(etag))
}

const bare = (tag: string): string => tag.replace(/^W\//, '')
