/** Returns the name of the WebP beside a JPEG poster: of the same size, with half the bytes. */
export const webpOf = (poster: string): string => poster.replace(/\.jpg$/, '.webp')

/** Returns the name of the WebP for screens of low density: half as wide, with a fifth of the bytes. */
export const smallWebpOf = (poster: string): string => poster.replace(/\.jpg$/, '.small.webp')

/**
 * Returns all files that a stored key stands for. Rows name a poster's JPEG only. Posters stored by
 * older versions have no WebPs.
 */
export const filesOf = (key: string): string[] =>
  key.endsWith('.jpg') ? [key, webpOf(key), smallWebpOf(key)] : [key]
