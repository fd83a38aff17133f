/** The name of a downloaded file, in words of a file name (app/lib/text.ts). */
type FileName = { name: string; plainName: string; ending: 'mp4' | 'zip' }

/**
 * Returns the Content-Disposition of a download. Only letters, digits and hyphens of a user's text reach
 * the header. Names that are not ASCII are percent-encoded (RFC 6266); clients that do not support this
 * use the plain name.
 */
export function attachment({ name, plainName, ending }: FileName): string {
  return /^[a-z0-9_-]+$/.test(name)
    ? `attachment; filename="${name}.${ending}"`
    : `attachment; filename="${plainName}.${ending}"; filename*=UTF-8''${encodeURIComponent(name)}.${ending}`
}
