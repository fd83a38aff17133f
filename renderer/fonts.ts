import { createRequire } from 'node:module'
import { GlobalFonts } from '@napi-rs/canvas'

/** Inter for Latin, Greek and Cyrillic, Rubik for Arabic and Hebrew; one file per script. */
const FACES = [
  '@fontsource/inter/files/inter-latin-600-normal.woff2',
  '@fontsource/inter/files/inter-latin-ext-600-normal.woff2',
  '@fontsource/inter/files/inter-vietnamese-600-normal.woff2',
  '@fontsource/inter/files/inter-cyrillic-600-normal.woff2',
  '@fontsource/inter/files/inter-cyrillic-ext-600-normal.woff2',
  '@fontsource/inter/files/inter-greek-600-normal.woff2',
  '@fontsource/inter/files/inter-greek-ext-600-normal.woff2',
  '@fontsource/rubik/files/rubik-arabic-600-normal.woff2',
  '@fontsource/rubik/files/rubik-hebrew-600-normal.woff2',
] as const

/**
 * Registers the bundled fonts with the drawing library and returns the CSS family list. A face that
 * cannot be read is skipped: the clip then lacks its letters, but is made.
 */
export function loadCaptionFonts(): string {
  const { resolve } = createRequire(import.meta.url)
  const names = FACES.map((face, index) => {
    const name = `Caption${index}`
    return GlobalFonts.registerFromPath(resolve(face), name) === null ? null : `"${name}"`
  })
  return names.filter((name) => name !== null).join(', ')
}
